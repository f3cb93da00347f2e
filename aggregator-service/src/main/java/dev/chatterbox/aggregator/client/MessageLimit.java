package dev.chatterbox.aggregator.client;

/**
 * The largest message that a transport carries.
 *
 * @param bytes of a request's or a reply's body, 1 or more
 * @param name what sets the limit, for the user whose message is larger
 */
public record MessageLimit(int bytes, String name) {

    /** Where there is none. */
    public static final MessageLimit NONE = new MessageLimit(Integer.MAX_VALUE, "none");
}

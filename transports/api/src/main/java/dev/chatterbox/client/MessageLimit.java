package dev.chatterbox.client;

/**
 * The largest message that a transport carries.
 *
 * @param bytes of a request's or a reply's body, 1 or more
 * @param name the setting or rule behind the limit, for a user whose message is larger
 */
public record MessageLimit(int bytes, String name) {

    /** The value for a transport without a limit. */
    public static final MessageLimit NONE = new MessageLimit(Integer.MAX_VALUE, "none");

    /** The limit on a body, if this one is on a message that has so many bytes besides. */
    public MessageLimit less(int frame) {
        return new MessageLimit(Math.max(1, bytes - frame), "%s less %d".formatted(name, frame));
    }
}

package dev.chatterbox.queue;

/** The two sides of a {@link QueueConnection}, and the addresses by which they tell each other something. */
public enum QueueSide {
    REQUESTER(".reports", ".runs"),
    RESPONDER(".runs", ".reports");

    private final String hears;
    private final String tells;

    QueueSide(String hears, String tells) {
        this.hears = hears;
        this.tells = tells;
    }

    /** The queue of a responder, from the address at which it takes requests. */
    public static String queue(String address) {
        return address + ".queue";
    }

    /** The address at which this side hears the other one. */
    public String hears(String queue) {
        return queue + hears;
    }

    /** The address to which this side tells something. */
    public String tells(String queue) {
        return queue + tells;
    }
}

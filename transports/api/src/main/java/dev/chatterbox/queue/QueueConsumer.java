package dev.chatterbox.queue;

/** One consumer of a group, from its opening to its end. */
@FunctionalInterface
public interface QueueConsumer {

    /**
     * Waits until it has its share of the messages, or none; called when all consumers of the group are open.
     *
     * @param end by {@link System#nanoTime}, when it waits no longer
     */
    default void awaitShare(long end) throws InterruptedException {}

    /** Takes no more; called for all consumers of the group before the first is closed. */
    default void stop() {}

    void close() throws Exception;
}

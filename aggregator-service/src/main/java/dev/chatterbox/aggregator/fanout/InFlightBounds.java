package dev.chatterbox.aggregator.fanout;

/**
 * How much may be in flight at once.
 *
 * @param messages 1 or more
 * @param inputs 1 or more
 * @param bytes of payloads, 0 or more
 */
record InFlightBounds(int messages, int inputs, long bytes) {

    /**
     * How many messages of one size may be in flight at once; 0 where one alone is too much.
     *
     * @param inputsOfEach 1 or more
     * @param bytesOfEach of payloads, 0 or more
     */
    int most(int inputsOfEach, long bytesOfEach) {
        int most = Math.min(messages, inputs / inputsOfEach);
        return bytesOfEach == 0 ? most : (int) Math.min(most, bytes / bytesOfEach);
    }
}

package dev.chatterbox.proto;

/** The one thing that every backend computes. */
public final class Square {

    private Square() {}

    /**
     * The square of a number. It fits: (2³¹−1)² is less than 2⁶².
     *
     * @param number 1 to 2³¹−1
     * @throws IllegalArgumentException where the number is less than 1
     */
    public static long of(int number) {
        if (number < 1) {
            throw new IllegalArgumentException(
                    "the number must be 1 to " + Integer.MAX_VALUE + ", but it is " + number);
        }
        return (long) number * number;
    }
}

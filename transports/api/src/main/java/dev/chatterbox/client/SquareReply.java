package dev.chatterbox.client;

import org.jspecify.annotations.Nullable;

/**
 * A right answer: the squares of consecutive numbers. Only {@link SquareRequest} makes it, after it has checked the
 * squares.
 */
public final class SquareReply {

    private final int number;
    private final long square;

    /** The squares of all numbers; null if there is only one number. */
    private final long @Nullable [] squares;

    SquareReply(int number, long square) {
        this.number = number;
        this.square = square;
        this.squares = null;
    }

    /** @param squares one or more, kept as they are */
    SquareReply(int number, long[] squares) {
        this.number = number;
        this.square = squares[0];
        this.squares = squares;
    }

    /** The first of the numbers, of a unary call the only one. */
    public int number() {
        return number;
    }

    /** How many numbers it answers. */
    public int count() {
        return squares == null ? 1 : squares.length;
    }

    /** @param index of the number, 0 for the first */
    public long square(int index) {
        return squares == null ? square : squares[index];
    }
}

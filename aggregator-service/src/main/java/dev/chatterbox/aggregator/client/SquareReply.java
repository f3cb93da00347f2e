package dev.chatterbox.aggregator.client;

/** A right answer: checked when it was made, by {@link SquareRequest#reply}. */
public final class SquareReply {

    private final int number;
    private final long square;

    SquareReply(int number, long square) {
        this.number = number;
        this.square = square;
    }

    public int number() {
        return number;
    }

    public long square() {
        return square;
    }
}

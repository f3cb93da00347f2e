package dev.chatterbox.aggregator.web;

import dev.chatterbox.client.SquareReply;
import java.nio.charset.StandardCharsets;

/**
 * Writes answers by hand: an element is two numbers, and a general encoder would cost more than a call over a broker.
 */
final class SquaresJson {

    private static final int TYPICAL_ELEMENT = "{\"1000\":1000000},".length();

    private SquaresJson() {}

    /** {@code [{"1":1},{"2":4},…]}, without white space. */
    static byte[] array(long[] squares) {
        StringBuilder json = new StringBuilder(squares.length * TYPICAL_ELEMENT + 2).append('[');
        for (int i = 0; i < squares.length; i++) {
            if (i > 0) {
                json.append(',');
            }
            append(json, i + 1, squares[i]);
        }
        return json.append(']').toString().getBytes(StandardCharsets.ISO_8859_1);
    }

    /** {@code {"2":4}} and a line feed, for each of its numbers. */
    static String lines(SquareReply reply) {
        StringBuilder lines = new StringBuilder(reply.count() * TYPICAL_ELEMENT);
        for (int i = 0; i < reply.count(); i++) {
            append(lines, reply.number() + i, reply.square(i)).append('\n');
        }
        return lines.toString();
    }

    private static StringBuilder append(StringBuilder json, int number, long square) {
        return json.append("{\"").append(number).append("\":").append(square).append('}');
    }
}

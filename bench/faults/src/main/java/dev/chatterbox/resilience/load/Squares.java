package dev.chatterbox.resilience.load;

import java.nio.charset.StandardCharsets;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** A request for squares, and the right answer to it. */
final class Squares {

    private Squares() {}

    static String path(String variant, int calls) {
        return "/%s/square/unary/%d".formatted(variant, calls);
    }

    /** The answer as one array. */
    static byte[] array(int calls) {
        return lines(calls).collect(Collectors.joining(",", "[", "]")).getBytes(StandardCharsets.US_ASCII);
    }

    /** The answer as lines, such as {@code {"3":9}}. */
    static Stream<String> lines(int calls) {
        return IntStream.rangeClosed(1, calls)
                .mapToObj(number -> "{\"%d\":%d}".formatted(number, (long) number * number));
    }
}

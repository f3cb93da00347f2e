package dev.chatterbox.rest;

import java.nio.charset.StandardCharsets;
import java.util.StringJoiner;
import java.util.stream.LongStream;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.MapperFeature;
import tools.jackson.databind.json.JsonMapper;

/** A batch and its answer: a JSON array of numbers, answered by one of squares in the same order. */
final class JsonNumbers {

    /** Accepts whole numbers only; it converts no strings, fractions or nulls. */
    private static final JsonMapper JSON = JsonMapper.builder()
            .disable(DeserializationFeature.ACCEPT_FLOAT_AS_INT)
            .enable(DeserializationFeature.FAIL_ON_NULL_FOR_PRIMITIVES)
            .disable(MapperFeature.ALLOW_COERCION_OF_SCALARS)
            .build();

    private JsonNumbers() {}

    /** @throws JacksonException it is no array of numbers that fit into 32 bits */
    static int[] ints(byte[] body) {
        int[] numbers = JSON.readValue(body, int[].class);
        return numbers == null ? new int[0] : numbers;
    }

    /** @throws JacksonException it is no array of numbers that fit into 64 bits */
    static long[] longs(byte[] body) {
        long[] numbers = JSON.readValue(body, long[].class);
        return numbers == null ? new long[0] : numbers;
    }

    static byte[] array(LongStream numbers) {
        StringJoiner array = new StringJoiner(",", "[", "]");
        numbers.forEach(number -> array.add(Long.toString(number)));
        return array.toString().getBytes(StandardCharsets.US_ASCII);
    }
}

package dev.chatterbox.rest;

import dev.chatterbox.proto.Input;
import dev.chatterbox.proto.Inputs;
import dev.chatterbox.proto.Output;
import dev.chatterbox.proto.Outputs;
import java.util.StringJoiner;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.MapperFeature;
import tools.jackson.databind.json.JsonMapper;

/** A batch as a JSON array of numbers, answered by one of squares in the same order. */
final class JsonBatch {

    /** Accepts whole numbers only; it converts no strings, fractions or nulls. */
    private static final JsonMapper JSON = JsonMapper.builder()
            .disable(DeserializationFeature.ACCEPT_FLOAT_AS_INT)
            .enable(DeserializationFeature.FAIL_ON_NULL_FOR_PRIMITIVES)
            .disable(MapperFeature.ALLOW_COERCION_OF_SCALARS)
            .build();

    private JsonBatch() {}

    /** @throws JacksonException it is no array of numbers that fit into 32 bits */
    static Inputs inputs(byte[] body) {
        int[] numbers = JSON.readValue(body, int[].class);
        Inputs.Builder inputs = Inputs.newBuilder();
        for (int number : numbers == null ? new int[0] : numbers) {
            inputs.addInputs(Input.newBuilder().setNumber(number));
        }
        return inputs.build();
    }

    static BytesResponse response(Outputs outputs) {
        StringJoiner squares = new StringJoiner(",", "[", "]");
        for (Output output : outputs.getOutputsList()) {
            squares.add(Long.toString(output.getResult()));
        }
        return BytesResponse.json(squares.toString());
    }
}

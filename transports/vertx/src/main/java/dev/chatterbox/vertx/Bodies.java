package dev.chatterbox.vertx;

import dev.chatterbox.client.CallException;
import dev.chatterbox.client.MessageLimit;
import dev.chatterbox.client.Outcome;
import dev.chatterbox.client.SquareReply;
import dev.chatterbox.client.SquareRequest;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpHeaders;
import java.nio.charset.StandardCharsets;
import java.util.StringJoiner;
import java.util.stream.LongStream;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.MapperFeature;
import tools.jackson.databind.json.JsonMapper;

/**
 * The bodies of requests and replies as REST has them: a number or an array of numbers in JSON, and protobuf if there
 * are payloads. A unary request without a payload has no body. What a protobuf body says of a call's work, the others
 * say in their query.
 */
final class Bodies {

    static final CharSequence JSON = HttpHeaders.createOptimized("application/json");
    static final CharSequence PROTOBUF = HttpHeaders.createOptimized("application/x-protobuf");

    private static final String PATH = "/api/square/";

    /** The largest body that is read; the same as over REST. */
    static final MessageLimit LIMIT = new MessageLimit(4 << 20, "the largest body that either side reads");

    /** A square has 19 digits at most. */
    private static final int LONGEST_NUMBER = 64;

    /** Accepts whole numbers only; it converts no strings, fractions or nulls. */
    private static final JsonMapper NUMBERS = JsonMapper.builder()
            .disable(DeserializationFeature.ACCEPT_FLOAT_AS_INT)
            .enable(DeserializationFeature.FAIL_ON_NULL_FOR_PRIMITIVES)
            .disable(MapperFeature.ALLOW_COERCION_OF_SCALARS)
            .build();

    private Bodies() {}

    static boolean isNumber(SquareRequest request) {
        return !request.batch() && isJson(request);
    }

    static boolean isJson(SquareRequest request) {
        return request.payload() == 0;
    }

    static String uri(SquareRequest request) {
        String uri =
                isNumber(request) ? PATH + "unary/" + request.number() : PATH + (request.batch() ? "batch" : "unary");
        return isJson(request) ? uri.concat(request.work().query()) : uri;
    }

    static Buffer of(SquareRequest request) {
        long first = request.number();
        return isJson(request)
                ? array(LongStream.range(first, first + request.count()))
                : Buffer.buffer(request.body());
    }

    static Buffer array(LongStream numbers) {
        StringJoiner array = new StringJoiner(",", "[", "]");
        numbers.forEach(number -> array.add(Long.toString(number)));
        return Buffer.buffer(array.toString());
    }

    /** @throws JacksonException it is no array of numbers that fit into 64 bits */
    static long[] numbers(Buffer body) {
        long[] numbers = NUMBERS.readValue(body.getBytes(), long[].class);
        return numbers == null ? new long[0] : numbers;
    }

    /**
     * Reads the whole body of a reply.
     *
     * @throws CallException the body cannot be read, or is not right
     */
    static SquareReply read(SquareRequest request, Buffer body) {
        try {
            if (isNumber(request)) {
                return request.reply(request.number(), Long.parseLong(body.toString(StandardCharsets.US_ASCII)));
            }
            return isJson(request) ? request.reply(numbers(body)) : request.read(body.getBytes());
        } catch (NumberFormatException | JacksonException e) {
            String right = isNumber(request) ? "number" : "array of whole numbers";
            throw new CallException(Outcome.ERROR, "a reply that is not a JSON " + right);
        }
    }

    /** Whether a body is already longer than any right one; one without an end is not gathered. */
    static boolean isTooLong(SquareRequest request, Buffer begun) {
        return begun.length() > (isNumber(request) ? LONGEST_NUMBER : LIMIT.bytes());
    }
}

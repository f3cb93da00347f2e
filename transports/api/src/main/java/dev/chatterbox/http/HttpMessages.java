package dev.chatterbox.http;

import com.google.protobuf.MessageLite;
import dev.chatterbox.client.CallException;
import dev.chatterbox.client.MessageLimit;
import dev.chatterbox.client.SquareReply;
import dev.chatterbox.client.SquareRequest;
import dev.chatterbox.proto.Input;
import dev.chatterbox.proto.Inputs;
import dev.chatterbox.proto.Output;
import dev.chatterbox.proto.Outputs;
import dev.chatterbox.transport.CallWork;
import java.nio.charset.StandardCharsets;
import java.util.StringJoiner;
import java.util.regex.Pattern;
import java.util.stream.LongStream;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.MapperFeature;
import tools.jackson.databind.json.JsonMapper;

/**
 * Requests and replies over HTTP, as docs/wire-contract.md has them: a batch and its answer are JSON arrays of numbers,
 * and a request with a payload is protobuf. A unary request without a payload has no body, and its answer is a number.
 * What a protobuf body says of a call's work, the others say in their query.
 */
public final class HttpMessages {

    /** The path of requests ends with the name of their call mode. */
    public static final String PATH = "/api/square/";

    public static final String UNARY = PATH + "unary";
    public static final String BATCH = PATH + "batch";

    public static final String JSON = "application/json";
    public static final String PROTOBUF = "application/x-protobuf";

    /** The largest body of a request or a reply: the same as gRPC's default. */
    public static final int MOST_BYTES = 4 << 20;

    public static final String TOO_LARGE = "the body must be %d bytes at the most".formatted(MOST_BYTES);

    public static final MessageLimit LIMIT = new MessageLimit(MOST_BYTES, "the largest body that either side reads");

    /** A square has 19 digits at most. */
    private static final int LONGEST_NUMBER = 64;

    /** Up to ten digits; number() refuses numbers above 2³¹−1. */
    private static final Pattern NUMBER = Pattern.compile("[1-9][0-9]{0,9}");

    /** Accepts whole numbers only; it converts no strings, fractions or nulls. */
    private static final JsonMapper NUMBERS = JsonMapper.builder()
            .disable(DeserializationFeature.ACCEPT_FLOAT_AS_INT)
            .enable(DeserializationFeature.FAIL_ON_NULL_FOR_PRIMITIVES)
            .disable(MapperFeature.ALLOW_COERCION_OF_SCALARS)
            .build();

    private HttpMessages() {}

    public static boolean hasBody(SquareRequest request) {
        return request.batch() || request.payload() > 0;
    }

    private static boolean isJson(SquareRequest request) {
        return request.payload() == 0;
    }

    /** @param base ends with {@link #PATH} */
    public static String uri(String base, SquareRequest request) {
        String uri =
                hasBody(request) ? base + (request.batch() ? "batch" : "unary") : base + "unary/" + request.number();
        return isJson(request) ? uri.concat(request.work().query()) : uri;
    }

    public static String contentType(SquareRequest request) {
        return isJson(request) ? JSON : PROTOBUF;
    }

    public static byte[] body(SquareRequest request) {
        long first = request.number();
        return isJson(request) ? array(LongStream.range(first, first + request.count())) : request.body();
    }

    private static byte[] array(LongStream numbers) {
        StringJoiner array = new StringJoiner(",", "[", "]");
        numbers.forEach(number -> array.add(Long.toString(number)));
        return array.toString().getBytes(StandardCharsets.US_ASCII);
    }

    /**
     * The reply to a request without a body.
     *
     * @throws CallException it is not a JSON number, or not right
     */
    public static SquareReply readNumber(SquareRequest request, String body) {
        long square;
        try {
            square = Long.parseLong(body);
        } catch (NumberFormatException e) {
            throw notANumber();
        }
        return request.reply(request.number(), square);
    }

    /**
     * The reply to any request.
     *
     * @throws CallException the body cannot be read, or is not right
     */
    public static SquareReply read(SquareRequest request, byte[] body) {
        if (!hasBody(request)) {
            return readNumber(request, new String(body, StandardCharsets.US_ASCII));
        }
        if (!isJson(request)) {
            return request.read(body);
        }
        try {
            long[] squares = NUMBERS.readValue(body, long[].class);
            return request.reply(squares == null ? new long[0] : squares);
        } catch (JacksonException e) {
            throw CallException.error("a reply that is not a JSON array of whole numbers");
        }
    }

    /**
     * A body without an end is not gathered until the deadline.
     *
     * @param bytes of the reply's body so far
     * @throws CallException these are more than any right reply has
     */
    public static void requireBytes(SquareRequest request, int bytes) {
        if (!hasBody(request)) {
            requireDigits(bytes);
        } else if (bytes > MOST_BYTES) {
            throw CallException.error("a reply that is not %d bytes at the most".formatted(MOST_BYTES));
        }
    }

    /** The same as {@link #requireBytes} for a request without a body. */
    public static void requireDigits(int digits) {
        if (digits > LONGEST_NUMBER) {
            throw notANumber();
        }
    }

    public static CallException notANumber() {
        return CallException.error("a reply that is not a JSON number");
    }

    public static CallException errorReply(int status) {
        return CallException.error("an error reply: status " + status);
    }

    /** @return 0 if the text is no valid number, as it is with another sign, a zero before it, or other digits */
    public static int number(String text) {
        long value = NUMBER.matcher(text).matches() ? Long.parseLong(text) : 0;
        return value <= Integer.MAX_VALUE ? (int) value : 0;
    }

    /** @throws IllegalArgumentException the text is no valid number; the message says so */
    public static int requireNumber(String text) {
        int number = number(text);
        if (number == 0) {
            throw new IllegalArgumentException(outOfRange(text));
        }
        return number;
    }

    public static String outOfRange(String text) {
        return "the number must be 1 to " + Integer.MAX_VALUE + ", but it is '" + text + "'";
    }

    /**
     * The numbers of a batch.
     *
     * @param work of each of them
     * @throws IllegalArgumentException the body is no array of numbers that fit into 32 bits; the message says so
     */
    public static Inputs inputs(byte[] body, CallWork work) {
        Inputs.Builder inputs = Inputs.newBuilder();
        try {
            int[] numbers = NUMBERS.readValue(body, int[].class);
            for (int number : numbers == null ? new int[0] : numbers) {
                inputs.addInputs(Input.newBuilder()
                        .setNumber(number)
                        .setBurnMicros(work.burnMicros())
                        .setWaitMicros(work.waitMicros()));
            }
        } catch (JacksonException e) {
            throw new IllegalArgumentException(
                    "the body must be a JSON array of whole numbers: " + e.getOriginalMessage());
        }
        return inputs.build();
    }

    /** An answer in JSON. */
    public static byte[] json(MessageLite answer) {
        return answer instanceof Output output
                ? Long.toString(output.getResult()).getBytes(StandardCharsets.US_ASCII)
                : array(((Outputs) answer).getOutputsList().stream().mapToLong(Output::getResult));
    }
}

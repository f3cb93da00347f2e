package dev.chatterbox.rest;

import dev.chatterbox.client.CallException;
import dev.chatterbox.client.MessageLimit;
import dev.chatterbox.client.Outcome;
import dev.chatterbox.client.SquareReply;
import dev.chatterbox.client.SquareRequest;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.stream.LongStream;
import org.springframework.web.reactive.function.client.WebClientException;
import org.springframework.web.reactive.function.client.WebClientRequestException;
import tools.jackson.core.JacksonException;

/**
 * Requests with a body, and their replies, as the REST responder reads and writes them: a batch is a JSON array, and a
 * request with a payload is protobuf. A unary request without a payload has no body. What a protobuf body says of a
 * call's work, the others say in their query.
 */
final class RestMessages {

    /** The largest body of a request or a reply: the same as gRPC's default. */
    static final int MOST_BYTES = 4 << 20;

    static final String TOO_LARGE = "the body must be %d bytes at the most".formatted(MOST_BYTES);

    static final MessageLimit LIMIT = new MessageLimit(MOST_BYTES, "the largest body that either side reads");

    static final MessageLimit STREAMED = new MessageLimit(
            (int) SquareRequest.mostBytes(1, 0), "its streams are lines of JSON, which have no payload");

    /** A square has 19 digits at most. */
    private static final int LONGEST_NUMBER = 64;

    private RestMessages() {}

    static boolean hasBody(SquareRequest request) {
        return request.batch() || request.payload() > 0;
    }

    /** @param base ends before the name of the call mode */
    static String uri(String base, SquareRequest request) {
        String uri =
                hasBody(request) ? base + (request.batch() ? "batch" : "unary") : base + "unary/" + request.number();
        return isJson(request) ? uri.concat(request.work().query()) : uri;
    }

    static String contentType(SquareRequest request) {
        return isJson(request) ? "application/json" : "application/x-protobuf";
    }

    private static boolean isJson(SquareRequest request) {
        return request.payload() == 0;
    }

    static byte[] body(SquareRequest request) {
        long first = request.number();
        return isJson(request) ? JsonNumbers.array(LongStream.range(first, first + request.count())) : request.body();
    }

    /**
     * The reply to a unary request without a payload.
     *
     * @throws CallException it is not a JSON number, or not right
     */
    static SquareReply readNumber(SquareRequest request, String body) {
        long square;
        try {
            square = Long.parseLong(body);
        } catch (NumberFormatException e) {
            throw notANumber();
        }
        return request.reply(request.number(), square);
    }

    /**
     * Reads the reply to a request with a body.
     *
     * @throws CallException the body cannot be read, or is not right
     */
    static SquareReply read(SquareRequest request, byte[] body) {
        return isJson(request) ? request.reply(squares(body)) : request.read(body);
    }

    /**
     * The parts of a number that came so far.
     *
     * @throws CallException they are longer than any square, so that a body without an end is not gathered until the
     *     deadline
     */
    static String joined(String begun, String part) {
        if (begun.length() + part.length() > LONGEST_NUMBER) {
            throw notANumber();
        }
        return begun.concat(part);
    }

    /**
     * Adds a part of any other body to the parts that have come so far.
     *
     * @throws CallException the body is larger than the largest one that is read
     */
    static void join(ByteArrayOutputStream begun, byte[] part) {
        if (begun.size() + part.length > MOST_BYTES) {
            throw new CallException(Outcome.ERROR, "a reply that is not %d bytes at the most".formatted(MOST_BYTES));
        }
        begun.writeBytes(part);
    }

    static CallException notANumber() {
        return new CallException(Outcome.ERROR, "a reply that is not a JSON number");
    }

    static CallException errorReply(int status) {
        return new CallException(Outcome.ERROR, "an error reply: status " + status);
    }

    /** Translates an error of the library. WebClient wraps errors; before the reply in a WebClientRequestException. */
    static CallException callException(Throwable error) {
        Throwable cause = error instanceof WebClientException && error.getCause() != null ? error.getCause() : error;
        if (cause instanceof CallException known) {
            return known;
        }
        return error instanceof WebClientRequestException || cause instanceof IOException
                ? new CallException(Outcome.UNAVAILABLE, "no square service answers: " + cause.getMessage())
                : new CallException(Outcome.ERROR, "a reply that cannot be read: " + cause.getMessage());
    }

    private static long[] squares(byte[] body) {
        try {
            return JsonNumbers.longs(body);
        } catch (JacksonException e) {
            throw new CallException(Outcome.ERROR, "a reply that is not a JSON array of whole numbers");
        }
    }
}

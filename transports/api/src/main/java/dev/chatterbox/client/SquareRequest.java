package dev.chatterbox.client;

import com.google.protobuf.ByteString;
import com.google.protobuf.InvalidProtocolBufferException;
import dev.chatterbox.connection.ErrorHeaders;
import dev.chatterbox.proto.Input;
import dev.chatterbox.proto.Inputs;
import dev.chatterbox.proto.Messages;
import dev.chatterbox.proto.Output;
import dev.chatterbox.proto.Outputs;
import dev.chatterbox.proto.Square;
import dev.chatterbox.traces.ResponderWork;
import dev.chatterbox.traces.Traces;
import dev.chatterbox.transport.CallWork;
import java.time.Duration;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * One message to send: a number, or a batch of consecutive numbers. A batch, even of one number, goes to an address of
 * its own.
 *
 * <p>Only this class makes a {@link SquareReply}, by {@link #reply} and {@link #read}, so that no client can let an
 * unchecked one through. Both throw a {@link CallException}: {@link Outcome#ERROR} if the reply cannot be read, and
 * {@link Outcome#WRONG} unless it has, exactly once for each of these numbers and for no other, the number's square and
 * the number's payload.
 *
 * @param batch whether this is a batch
 * @param number 1 to 2³¹−1; the first number of a batch
 * @param count how many numbers there are, 1 to {@link Messages#MOST_INPUTS}; 1 if this is no batch
 * @param payload bytes in each input, which each output must repeat, 0 to {@link #MOST_PAYLOAD}
 * @param work of each number; all inputs have it, and REST's requests without a protobuf body in their query
 * @param timeout the deadline, from the sending to the reply; more than zero
 * @param trace null if the call is not traced
 */
public record SquareRequest(
        boolean batch,
        int number,
        int count,
        int payload,
        CallWork work,
        Duration timeout,
        @Nullable CallTrace trace) {

    /** The largest payload of one input, in bytes. */
    public static final int MOST_PAYLOAD = Payload.MOST;

    /** The bytes that an input or an output takes at most without its payload, in protobuf or JSON. */
    private static final int BYTES_BESIDES = 24;

    /** The largest size of such a message, request or reply, in bytes. */
    public static long mostBytes(int count, int payload) {
        return (long) count * (payload + BYTES_BESIDES);
    }

    /** The request in protobuf: a square.Input, or a square.Inputs if it is a batch. */
    public byte[] body() {
        return batch ? inputs().toByteArray() : input().toByteArray();
    }

    /** The content of a unary request. */
    public Input input() {
        return input(number);
    }

    private Input input(int number) {
        Input.Builder input = Input.newBuilder()
                .setNumber(number)
                .setBurnMicros(work.burnMicros())
                .setWaitMicros(work.waitMicros());
        return (payload == 0 ? input : input.setPayload(Payload.of(number, payload))).build();
    }

    /** The content of a batch, in ascending order. */
    public Inputs inputs() {
        Inputs.Builder inputs = Inputs.newBuilder();
        for (int i = 0; i < count; i++) {
            inputs.addInputs(input(number + i));
        }
        return inputs.build();
    }

    /** The header {@link Traces#PARENT} of this request; null if the call is not traced. */
    public @Nullable String traceparent() {
        return trace == null ? null : trace.traceparent();
    }

    /**
     * The answer in a reply of a broker.
     *
     * @param headers of the reply, by name: it may be an error reply, and say when the responder worked; null for a
     *     header that it does not have
     * @param body as {@link #read(byte[])}
     */
    public SquareReply read(Function<String, @Nullable String> headers, byte[] body) {
        return read(headers, ErrorHeaders.REASON, body);
    }

    /** @param error the name of the header that holds the reason of an error reply */
    public SquareReply read(Function<String, @Nullable String> headers, String error, byte[] body) {
        if (trace != null) {
            trace.worked(headers.apply(ResponderWork.HEADER));
        }
        return read(headers.apply(error), body);
    }

    /**
     * The answer in a reply.
     *
     * @param error the reason of an error reply; null where it is none
     * @param body as {@link #read(byte[])}
     */
    public SquareReply read(@Nullable String error, byte[] body) {
        if (error != null) {
            throw CallException.error("an error reply: " + error);
        }
        return read(body);
    }

    /** The answer in a body in protobuf: a square.Output, or a square.Outputs if this is a batch. */
    public SquareReply read(byte[] body) {
        try {
            return batch ? reply(Messages.parse(Outputs.parser(), body)) : reply(output(body));
        } catch (InvalidProtocolBufferException e) {
            throw CallException.error(
                    "a reply that is not a square.%s message".formatted(batch ? "Outputs" : "Output"));
        }
    }

    private Output output(byte[] body) throws InvalidProtocolBufferException {
        return payload == 0 ? Output.parseFrom(body) : Messages.parse(Output.parser(), body);
    }

    /** The answer to a unary request. */
    public SquareReply reply(Output output) {
        SquareReply reply = reply(output.getNumber(), output.getResult());
        requirePayload(number, output.getPayload());
        return reply;
    }

    /**
     * The answer to a unary request that has no payload.
     *
     * @param number the number that the reply says it is for
     */
    public SquareReply reply(int number, long square) {
        if (number != this.number || square != Square.of(number)) {
            throw wrong("it says that the square of %d is %d".formatted(number, square));
        }
        return new SquareReply(number, square);
    }

    /** The answer to a batch. Its outputs may be in any order. */
    public SquareReply reply(Outputs outputs) {
        List<Output> all = outputs.getOutputsList();
        requireCount(all.size());
        long[] squares = new long[count];
        for (Output output : all) {
            put(squares, output.getNumber(), output.getResult());
            requirePayload(output.getNumber(), output.getPayload());
        }
        return new SquareReply(number, squares);
    }

    /**
     * The answer to a batch that has no payload.
     *
     * @param values the squares of its numbers, in their order
     */
    public SquareReply reply(long[] values) {
        requireCount(values.length);
        long[] squares = new long[count];
        for (int i = 0; i < count; i++) {
            put(squares, number + i, values[i]);
        }
        return new SquareReply(number, squares);
    }

    private void requireCount(int outputs) {
        if (outputs != count) {
            throw wrong("it has %d outputs".formatted(outputs));
        }
    }

    /** The count of outputs is right already, so a missing number shows as another one, doubled or surplus. */
    private void put(long[] squares, int of, long square) {
        int index = of - number;
        if (index < 0 || index >= count || squares[index] != 0 || square != Square.of(of)) {
            throw wrong("it says%s that the square of %d is %d"
                    .formatted(index >= 0 && index < count && squares[index] != 0 ? " again" : "", of, square));
        }
        squares[index] = square;
    }

    private void requirePayload(int of, ByteString bytes) {
        if (!Payload.isOf(of, payload, bytes)) {
            throw wrong(
                    "of its payload for %d, %d bytes, it brings %d, or others".formatted(of, payload, bytes.size()));
        }
    }

    private CallException wrong(String what) {
        return new CallException(Outcome.WRONG, "a wrong reply to the request for %s: %s".formatted(numbers(), what));
    }

    /** The error for a request that nobody answered in time. */
    public CallException timedOut() {
        return new CallException(
                Outcome.TIMEOUT,
                "no reply to the request for %s within %d ms".formatted(numbers(), timeout.toMillis()));
    }

    private String numbers() {
        return batch ? "%d to %d".formatted(number, number + count - 1) : Integer.toString(number);
    }
}

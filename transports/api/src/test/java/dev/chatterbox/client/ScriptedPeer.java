package dev.chatterbox.client;

import com.google.protobuf.InvalidProtocolBufferException;
import dev.chatterbox.proto.Input;
import dev.chatterbox.proto.Inputs;
import dev.chatterbox.proto.Output;
import dev.chatterbox.proto.Outputs;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/**
 * The other side of a client under test: on the real broker or server, it receives requests and answers what a test
 * says.
 */
public abstract class ScriptedPeer implements AutoCloseable {

    private static final Duration PATIENCE = Duration.ofMinutes(1);

    private final BlockingQueue<Received> received = new LinkedBlockingQueue<>();
    private final BlockingQueue<ReceivedStream> streams = new LinkedBlockingQueue<>();

    /** One request, to be answered as often, as late and as badly as the test wants. */
    public interface Received {

        int number();

        /** The inputs of a batch, or of a request with a payload, if the peer takes such requests. */
        default List<Input> inputs() {
            throw new UnsupportedOperationException();
        }

        void square(int number, long square);

        /** Answers a batch with all outputs, and any other request with the first one. */
        default void outputs(List<Output> outputs) {
            throw new UnsupportedOperationException();
        }

        /** The right outputs. */
        default List<Output> rightOutputs() {
            return inputs().stream()
                    .map(input -> Output.newBuilder()
                            .setNumber(input.getNumber())
                            .setResult((long) input.getNumber() * input.getNumber())
                            .setPayload(input.getPayload())
                            .build())
                    .toList();
        }

        void error(String reason);

        /** The body of the right reply. */
        default byte[] rightBody() {
            return Output.newBuilder()
                    .setNumber(number())
                    .setResult((long) number() * number())
                    .build()
                    .toByteArray();
        }

        /** Answers with this body, whatever it is. */
        void bytes(byte[] body);

        /** Answers with a body that is no reply. */
        default void garbage() {
            bytes("\u0000\u0001nine".getBytes(StandardCharsets.UTF_8));
        }

        /** Closes the connection after so many bytes of a reply, if the request came on a connection of its own. */
        default void breakOff(int bytes) {
            throw new UnsupportedOperationException();
        }

        default void right() {
            square(number(), (long) number() * number());
        }
    }

    /** A request whose body, and whose reply's body, is protobuf. */
    public abstract static class MessageReceived implements Received {

        private final boolean batch;
        private final List<Input> inputs;

        protected MessageReceived(boolean batch, byte[] body) {
            this.batch = batch;
            inputs = inputsOf(batch, body);
        }

        @Override
        public final int number() {
            return inputs.get(0).getNumber();
        }

        @Override
        public final List<Input> inputs() {
            return inputs;
        }

        @Override
        public final void outputs(List<Output> outputs) {
            bytes(body(batch, outputs));
        }

        @Override
        public final void square(int number, long square) {
            outputs(List.of(
                    Output.newBuilder().setNumber(number).setResult(square).build()));
        }

        @Override
        public final byte[] rightBody() {
            return body(batch, rightOutputs());
        }
    }

    /** A stream, which a test answers as it wants. */
    public abstract static class ReceivedStream {

        private final BlockingQueue<Integer> inputs = new LinkedBlockingQueue<>();
        private volatile boolean isGivenUp;

        /** The peer calls this for each input that comes. */
        public final void came(int number) {
            inputs.add(number);
        }

        /** The peer calls this when the requester has given up. */
        public final void gaveUp() {
            isGivenUp = true;
        }

        public final boolean hasGivenUp() {
            return isGivenUp;
        }

        /** Waits for the next input. */
        public final int next() {
            return take(inputs, "input");
        }

        public abstract void output(int number, long square);

        /** Ends the stream regularly. */
        public abstract void end();

        public abstract void error(String reason);

        public abstract void garbage();

        public abstract void breakOff();
    }

    protected final void opened(ReceivedStream stream) {
        streams.add(stream);
    }

    /** Waits for the next stream. */
    public final ReceivedStream nextStream() {
        return take(streams, "stream");
    }

    private static <T> T take(BlockingQueue<T> queue, String what) {
        try {
            T next = queue.poll(PATIENCE.toMillis(), TimeUnit.MILLISECONDS);
            if (next == null) {
                throw new AssertionError("no " + what + " arrived within " + PATIENCE);
            }
            return next;
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    /** The inputs in the body of a request. */
    protected static List<Input> inputsOf(boolean batch, byte[] body) {
        try {
            return batch ? Inputs.parseFrom(body).getInputsList() : List.of(Input.parseFrom(body));
        } catch (InvalidProtocolBufferException e) {
            throw new AssertionError(e);
        }
    }

    /** The body of a reply. */
    protected static byte[] body(boolean batch, List<Output> outputs) {
        return batch
                ? Outputs.newBuilder().addAllOutputs(outputs).build().toByteArray()
                : outputs.get(0).toByteArray();
    }

    protected final void arrived(Received request) {
        received.add(request);
    }

    /** Waits for the next request. */
    public final Received next() {
        return take(received, "request");
    }

    public final List<Received> next(int count) {
        List<Received> requests = new ArrayList<>();
        while (requests.size() < count) {
            requests.add(next());
        }
        return requests;
    }

    /** How many have arrived and were not taken. */
    public final int waiting() {
        return received.size();
    }

    /** Sends the client a reply that belongs to none of its requests. */
    public abstract void replyForNobody();

    @Override
    public abstract void close();
}

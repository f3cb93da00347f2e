package dev.chatterbox.responder;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.MessageLite;
import dev.chatterbox.proto.Input;
import dev.chatterbox.proto.Inputs;
import dev.chatterbox.proto.Output;
import dev.chatterbox.proto.Outputs;
import dev.chatterbox.transport.CallWork;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.sessions.JqwikSession;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Further checks, of every responder that takes batches: it must survive any bytes. */
public interface MutationChecks {

    int IN_FLIGHT = 256;

    Requester requester();

    ResponderProcess service();

    /** How many messages are sent: the full number for a transport that belongs to the default variants. */
    default int messages() {
        return 100_000;
    }

    /** The size of the largest body that reaches the responder, which may refuse it. */
    int largestBody();

    @Tag("long")
    @Test
    default void answersWhateverBytesWithTheSquaresOfWhatIsInThemOrWithAnError() {
        JqwikSession.run(this::answersWhateverBytes);
    }

    private void answersWhateverBytes() throws InterruptedException {
        long lines = ResponderKit.loggedSoFar(service(), "");
        int ok = service().squares("ok");
        long seed = System.nanoTime();
        Random random = new Random(seed);
        Supplier<UnaryOperator<byte[]>> mutations = Mutations.of(Mutations.messages(), random);
        Supplier<byte[]> inputs = Mutations.of(inputs(), random);
        Supplier<byte[]> batches = Mutations.of(inputs().list().ofMaxSize(5).map(Wire::batch), random);
        Semaphore free = new Semaphore(IN_FLIGHT);
        AtomicReference<@Nullable String> wrong = new AtomicReference<>();
        int squares = 0;
        for (int i = 0; i < messages(); i++) {
            boolean batch = i % 3 == 0;
            byte[] body = mutations.get().apply((batch ? batches : inputs).get());
            Expected expected = Expected.of(batch, body);
            squares += expected.squares;
            assertThat(free.tryAcquire(ResponderKit.PATIENCE.toSeconds(), TimeUnit.SECONDS))
                    .as("an answer to one of %d messages, seed %d", IN_FLIGHT, seed)
                    .isTrue();
            requester().send(batch, body).whenComplete((reply, error) -> {
                if (error != null || !expected.isMetBy(reply)) {
                    wrong.set("%s of %s is answered by %s, seed %d"
                            .formatted(
                                    batch ? "a batch" : "a request",
                                    HexFormat.of().formatHex(body),
                                    error == null ? reply.code() + " " + reply.reason() : error,
                                    seed));
                }
                free.release();
            });
        }
        assertThat(free.tryAcquire(IN_FLIGHT, ResponderKit.PATIENCE.toSeconds(), TimeUnit.SECONDS))
                .as("an answer to each message, seed %d", seed)
                .isTrue();
        assertThat(wrong.get()).isNull();
        assertThat(service().squares("ok")).isEqualTo(ok + squares);
        goesOnAndHasLoggedOneLineMoreAtMost(lines);
    }

    private static Arbitrary<byte[]> inputs() {
        return Combinators.combine(
                        Arbitraries.integers(),
                        Arbitraries.bytes().array(byte[].class).ofMaxSize(16))
                .as(Wire::input);
    }

    /** It may be too large to be read, or its answer too large to be sent. */
    @Tag("long")
    @Test
    default void isNotHeldUpByTheLargestMessagesThatReachIt() {
        long lines = ResponderKit.loggedSoFar(service(), "");
        byte[] body = Arrays.copyOf(Wire.input(3, new byte[largestBody() - 6]), largestBody());
        for (int i = 0; i < 20; i++) {
            requester().send(false, body);
        }
        goesOnAndHasLoggedOneLineMoreAtMost(lines);
    }

    private void goesOnAndHasLoggedOneLineMoreAtMost(long lines) {
        assertThat(requester().ask(3)).succeedsWithin(ResponderKit.PATIENCE).isEqualTo(Requester.Answer.square(9));
        assertThat(service().logged("")).isLessThanOrEqualTo(lines + 1);
    }

    /**
     * @param answer null if the answer is an error
     * @param squares the number of squares in the answer
     */
    record Expected(@Nullable MessageLite answer, int squares) {

        private static final Expected ERROR = new Expected(null, 0);

        static Expected of(boolean batch, byte[] body) {
            try {
                List<Input> inputs = batch ? Inputs.parseFrom(body).getInputsList() : List.of(Input.parseFrom(body));
                if (inputs.isEmpty() || inputs.stream().anyMatch(Expected::isRefused)) {
                    return ERROR;
                }
                List<Output> outputs = inputs.stream().map(Expected::output).toList();
                return new Expected(
                        batch ? Outputs.newBuilder().addAllOutputs(outputs).build() : outputs.get(0), outputs.size());
            } catch (InvalidProtocolBufferException e) {
                return ERROR;
            }
        }

        private static boolean isRefused(Input input) {
            return input.getNumber() < 1 || CallWork.wrong(input.getBurnMicros(), input.getWaitMicros()) != null;
        }

        private static Output output(Input input) {
            return Output.newBuilder()
                    .setNumber(input.getNumber())
                    .setResult((long) input.getNumber() * input.getNumber())
                    .setPayload(input.getPayload())
                    .build();
        }

        boolean isMetBy(Requester.Message reply) {
            return answer == null
                    ? reply.code() == 400
                    : reply.code() == 0 && Arrays.equals(reply.body(), answer.toByteArray());
        }
    }
}

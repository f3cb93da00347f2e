package dev.chatterbox.responder;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.google.protobuf.ByteString;
import com.google.protobuf.MessageLite;
import dev.chatterbox.proto.Input;
import dev.chatterbox.proto.Inputs;
import dev.chatterbox.proto.Messages;
import dev.chatterbox.proto.Output;
import dev.chatterbox.proto.Outputs;
import dev.chatterbox.transport.CallWork;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

@ExtendWith(OutputCaptureExtension.class)
class SquareResponderTests {

    private final SimpleMeterRegistry meters = new SimpleMeterRegistry();
    private final List<String> answers = new CopyOnWriteArrayList<>();
    private final Reply<MessageLite> reply = new Reply<>() {
        @Override
        public void answer(MessageLite answer) {
            List<Output> outputs =
                    answer instanceof Outputs several ? several.getOutputsList() : List.of((Output) answer);
            answers.add(outputs.stream()
                    .map(output -> output.getNumber() + "->" + output.getResult()
                            + output.getPayload().toStringUtf8())
                    .collect(Collectors.joining(" ")));
        }

        @Override
        public void error(String reason) {
            answers.add("400 " + reason);
        }
    };

    @Test
    void squaresAndCounts() {
        responder(Faults.NONE)
                .answer(Input.newBuilder().setNumber(46341).build().toByteArray(), reply);
        assertThat(answers).containsExactly("46341->2147488281");
        assertThat(counted("ok")).isEqualTo(1);
    }

    @ParameterizedTest
    @ValueSource(ints = {0, -1, Integer.MIN_VALUE})
    void refusesWhatIsNoValidNumber(int number) {
        responder(Faults.NONE)
                .answer(Input.newBuilder().setNumber(number).build().toByteArray(), reply);
        assertThat(answers).singleElement().asString().startsWith("400 the number must be 1 to 2147483647");
        assertThat(counted("invalid")).isEqualTo(1);
    }

    @Test
    void refusesGarbageAndLogsItOnce(CapturedOutput output) {
        SquareResponder responder = responder(Faults.NONE);
        for (int i = 0; i < 3; i++) {
            responder.answer(new byte[] {(byte) 0xFF, 1, 2}, reply);
        }
        assertThat(answers)
                .hasSize(3)
                .allSatisfy(answer -> assertThat(answer).startsWith("400 the body is not a square.Input"));
        assertThat(counted("invalid")).isEqualTo(3);
        assertThat(output.getOut().split("An invalid request", -1)).hasSize(2);
    }

    @Test
    void anEmptyBodyIsTheAbsentNumber() {
        responder(Faults.NONE).answer(new byte[0], reply);
        assertThat(answers).singleElement().asString().startsWith("400").endsWith("it is 0");
    }

    @Test
    void dropsOnDemand() {
        responder(new Faults(Duration.ZERO, 1, 0)).answer(3, ByteString.EMPTY, CallWork.NONE, reply);
        assertThat(answers).isEmpty();
        assertThat(counted("dropped")).isEqualTo(1);
    }

    @Test
    void answersWrongOnDemand() {
        responder(new Faults(Duration.ZERO, 0, 1)).answer(3, ByteString.EMPTY, CallWork.NONE, reply);
        assertThat(answers).containsExactly("3->10");
        assertThat(counted("wrong")).isEqualTo(1);
    }

    /** Without a bound, a minute's delay at full load would hold more answers than any heap can. */
    @Test
    void dropsWhatIsDelayedBeyondItsBoundAndLogsItOnce(CapturedOutput output) {
        Faults delayed = new Faults(Duration.ofSeconds(2), 0, 0);
        try (SquareResponder responder = new SquareResponder("test", delayed, meters, 10_000)) {
            ByteString payload = ByteString.copyFrom(new byte[4_000]);
            assertThat(responder.answer(1, payload, CallWork.NONE, reply)).isTrue();
            assertThat(responder.answer(2, payload, CallWork.NONE, reply)).isTrue();
            assertThat(responder.answer(3, payload, CallWork.NONE, reply)).isFalse();
            assertThat(responder.answerBatch(batch(input(4, ""), input(5, ""), input(6, "")), reply))
                    .isFalse();
            assertThat(counted("dropped")).isEqualTo(4);
            assertThat(output.getOut()).containsOnlyOnce("An answer is dropped");

            await().atMost(Duration.ofMinutes(1)).until(() -> answers.size() == 2);
            assertThat(responder.answer(7, payload, CallWork.NONE, reply))
                    .as("there is room again")
                    .isTrue();
        }
    }

    @Test
    void delaysOnDemandWithoutHoldingTheCaller() {
        long start = System.nanoTime();
        responder(new Faults(Duration.ofSeconds(1), 0, 0)).answer(3, ByteString.EMPTY, CallWork.NONE, reply);
        assertThat(answers).isEmpty();
        await().atMost(Duration.ofMinutes(1))
                .untilAsserted(() -> assertThat(answers).containsExactly("3->9"));
        assertThat(Duration.ofNanos(System.nanoTime() - start)).isGreaterThanOrEqualTo(Duration.ofSeconds(1));
    }

    @Test
    void answersARequestWithTheFaultsThatStoodWhenItCame() {
        SquareResponder responder = responder(new Faults(Duration.ofSeconds(1), 0, 1));
        responder.answer(3, ByteString.EMPTY, CallWork.NONE, reply);
        responder.change(faults -> Faults.NONE);
        responder.answer(4, ByteString.EMPTY, CallWork.NONE, reply);

        assertThat(answers).containsExactly("4->16");
        await().atMost(Duration.ofMinutes(1))
                .untilAsserted(() -> assertThat(answers).containsExactly("4->16", "3->10"));
    }

    @Test
    void givesThePayloadBack() {
        responder(Faults.NONE).answer(input(3, "abc").toByteArray(), reply);
        assertThat(answers).containsExactly("3->9abc");
    }

    @Test
    void squaresABatchAndCountsItsInputs() {
        responder(Faults.NONE).answerBatch(batch(input(3, "x"), input(1, ""), input(3, "y")), reply);
        assertThat(answers).containsExactly("3->9x 1->1 3->9y");
        assertThat(counted("ok")).isEqualTo(3);
    }

    @Test
    void oneBadInputIsAnErrorOfTheWholeBatch() {
        responder(Faults.NONE).answerBatch(batch(input(3, ""), input(0, ""), input(4, "")), reply);
        assertThat(answers).singleElement().asString().startsWith("400 the number must be 1 to 2147483647");
        assertThat(counted("invalid")).isEqualTo(3);
        assertThat(counted("ok")).isZero();
    }

    @Test
    void refusesABatchOfNoneAndOneThatIsTooLarge() {
        responder(Faults.NONE).answerBatch(new byte[0], reply);
        Inputs.Builder tooMany = Inputs.newBuilder();
        IntStream.rangeClosed(0, Messages.MOST_INPUTS).forEach(i -> tooMany.addInputs(input(1, "")));
        responder(Faults.NONE).answerBatch(tooMany.build(), reply);
        responder(Faults.NONE).answerBatch(new byte[] {(byte) 0xFF, 1, 2}, reply);
        assertThat(answers)
                .satisfiesExactly(
                        none -> assertThat(none).isEqualTo("400 a batch must have 1 to 10000 inputs, but it has 0"),
                        many -> assertThat(many).endsWith("but it has 10001"),
                        garbage -> assertThat(garbage).startsWith("400 the body is not a square.Inputs message"));
        assertThat(counted("invalid")).isEqualTo(10_003);
    }

    @Test
    void faultsHitSingleInputsOfABatch() {
        Input[] inputs = IntStream.rangeClosed(1, 1000)
                .mapToObj(number -> input(number, ""))
                .toArray(Input[]::new);
        responder(new Faults(Duration.ZERO, 0.5, 0.5)).answerBatch(batch(inputs), reply);
        double left = 1000 - counted("dropped");
        assertThat(left).isBetween(300.0, 700.0);
        assertThat(counted("wrong")).isBetween(left * 0.2, left * 0.8);
        assertThat(counted("ok") + counted("wrong")).isEqualTo(left);
        assertThat(answers.get(0).split(" ")).hasSize((int) left);

        responder(new Faults(Duration.ZERO, 1, 0)).answerBatch(batch(inputs), reply);
        assertThat(answers).hasSize(1);
    }

    /** Whoever sends a request must not be able to write lines into the log. */
    @Test
    @ExtendWith(OutputCaptureExtension.class)
    void logsAStrangersTextInOneLine(CapturedOutput output) {
        responder(Faults.NONE).refuse("there is no\r\n10:00:00 ERROR forged", reply);

        assertThat(output).contains("there is no??10:00:00 ERROR forged");
        assertThat(answers).containsExactly("400 there is no\r\n10:00:00 ERROR forged");
    }

    @Test
    void aCallThatBurnsIsAnsweredByItsThreadWhenItHasSpentTheTime() {
        ThreadMXBean threads = ManagementFactory.getThreadMXBean();
        long before = threads.getCurrentThreadCpuTime();
        responder(Faults.NONE).answer(worked(3, 5_000, 0).toByteArray(), reply);
        assertThat(answers).containsExactly("3->9");
        assertThat(threads.getCurrentThreadCpuTime() - before).isGreaterThanOrEqualTo(5_000_000);
    }

    @Test
    void theInputsOfABatchBurnOneAfterTheOther() {
        ThreadMXBean threads = ManagementFactory.getThreadMXBean();
        long before = threads.getCurrentThreadCpuTime();
        responder(Faults.NONE).answerBatch(batch(worked(3, 5_000, 0), worked(4, 6_000, 0)), reply);
        assertThat(answers).containsExactly("3->9 4->16");
        assertThat(threads.getCurrentThreadCpuTime() - before).isGreaterThanOrEqualTo(11_000_000);
    }

    /** If each wait had a thread, or followed another one, the calls of the test would need many, or take 100 s. */
    @Test
    void callsThatWaitAreAnsweredLaterByOneThread() {
        long start = System.nanoTime();
        Set<Thread> threads = ConcurrentHashMap.newKeySet();
        Reply<Output> later = new Reply<>() {
            @Override
            public void answer(Output answer) {
                threads.add(Thread.currentThread());
                reply.answer(answer);
            }

            @Override
            public void error(String reason) {}
        };
        try (SquareResponder responder = responder(Faults.NONE)) {
            for (int number = 1; number <= 100; number++) {
                assertThat(responder.answer(number, ByteString.EMPTY, new CallWork(0, 1_000_000), later))
                        .isTrue();
            }
            assertThat(responder.answerBatch(batch(worked(3, 0, 10), worked(4, 0, 1_000_000)), reply))
                    .isTrue();
            assertThat(answers).isEmpty();
            await().atMost(Duration.ofSeconds(90)).until(() -> answers.size() == 101);
        }
        assertThat(Duration.ofNanos(System.nanoTime() - start)).isGreaterThanOrEqualTo(Duration.ofSeconds(1));
        assertThat(threads).hasSize(1).doesNotContain(Thread.currentThread());
        assertThat(answers).contains("100->10000", "3->9 4->16");
    }

    @Test
    void refusesWorkThatIsTooMuchBeforeItBegins() {
        SquareResponder responder = responder(Faults.NONE);
        responder.answer(worked(3, 10_001, 0).toByteArray(), reply);
        responder.answer(worked(3, 0, 1_000_001).toByteArray(), reply);
        responder.answerBatch(batch(worked(3, 1, 0), worked(4, 0, -1)), reply);
        responder.answerBatch(
                batch(Collections.nCopies(1_001, worked(3, 10_000, 0)).toArray(Input[]::new)), reply);
        assertThat(answers)
                .satisfiesExactly(
                        burn -> assertThat(burn).startsWith("400 burn must be 0us to 10ms"),
                        wait -> assertThat(wait).startsWith("400 wait must be 0us to 1s"),
                        batch -> assertThat(batch).startsWith("400 wait must be 0us to 1s"),
                        all -> assertThat(all).startsWith("400 the calls of a request may burn 10s together"));
        assertThat(counted("invalid")).isEqualTo(1 + 1 + 2 + 1_001);
    }

    private static Input worked(int number, int burnMicros, int waitMicros) {
        return Input.newBuilder()
                .setNumber(number)
                .setBurnMicros(burnMicros)
                .setWaitMicros(waitMicros)
                .build();
    }

    private static Input input(int number, String payload) {
        return Input.newBuilder()
                .setNumber(number)
                .setPayload(ByteString.copyFromUtf8(payload))
                .build();
    }

    private static byte[] batch(Input... inputs) {
        return Inputs.newBuilder().addAllInputs(List.of(inputs)).build().toByteArray();
    }

    @Test
    void showsTheFaultsThatStandAsGauges() {
        SquareResponder responder = responder(Faults.NONE);
        assertThat(fault("delay")).isZero();

        responder.change(faults -> new Faults(Duration.ofMillis(20), 0.5, 0.25));

        assertThat(fault("delay")).isEqualTo(0.02);
        assertThat(fault("drop")).isEqualTo(0.5);
        assertThat(fault("wrong")).isEqualTo(0.25);
    }

    private double fault(String fault) {
        return meters.get("chatterbox.faults").tag("fault", fault).gauge().value();
    }

    private SquareResponder responder(Faults faults) {
        return new SquareResponder("test", faults, meters);
    }

    private double counted(String outcome) {
        return meters.get("chatterbox.squares")
                .tag("outcome", outcome)
                .counter()
                .count();
    }
}

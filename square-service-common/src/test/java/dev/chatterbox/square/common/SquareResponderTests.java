package dev.chatterbox.square.common;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.chatterbox.proto.Input;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
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
    private final Reply reply = new Reply() {
        @Override
        public void square(int number, long square) {
            answers.add(number + "->" + square);
        }

        @Override
        public void error(int code, String reason) {
            answers.add(code + " " + reason);
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
        responder(new Faults(Duration.ZERO, 1, 0)).answer(3, reply);
        assertThat(answers).isEmpty();
        assertThat(counted("dropped")).isEqualTo(1);
    }

    @Test
    void answersWrongOnDemand() {
        responder(new Faults(Duration.ZERO, 0, 1)).answer(3, reply);
        assertThat(answers).containsExactly("3->10");
        assertThat(counted("wrong")).isEqualTo(1);
    }

    @Test
    void delaysOnDemandWithoutHoldingTheCaller() {
        long start = System.nanoTime();
        responder(new Faults(Duration.ofMillis(200), 0, 0)).answer(3, reply);
        assertThat(answers).isEmpty();
        await().atMost(Duration.ofSeconds(5))
                .untilAsserted(() -> assertThat(answers).containsExactly("3->9"));
        assertThat(Duration.ofNanos(System.nanoTime() - start)).isGreaterThanOrEqualTo(Duration.ofMillis(200));
    }

    @Test
    void answersARequestWithTheFaultsThatStoodWhenItCame() {
        SquareResponder responder = responder(new Faults(Duration.ofMillis(200), 0, 1));
        responder.answer(3, reply);
        responder.change(faults -> Faults.NONE);
        responder.answer(4, reply);

        assertThat(answers).containsExactly("4->16");
        await().atMost(Duration.ofSeconds(5))
                .untilAsserted(() -> assertThat(answers).containsExactly("4->16", "3->10"));
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

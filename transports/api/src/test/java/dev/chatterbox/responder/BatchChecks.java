package dev.chatterbox.responder;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.IntToLongFunction;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Further checks, of every responder that takes batches. */
public interface BatchChecks {

    Requester requester();

    ResponderProcess service();

    private CompletableFuture<Requester.Message> send(byte[] body) {
        return requester().send(true, body);
    }

    /** A batch of the numbers from 1 to {@code count}. */
    private static byte[] inputs(int count, int payload) {
        return Wire.batch(IntStream.rangeClosed(1, count)
                .mapToObj(number -> Wire.input(number, PayloadChecks.random(payload)))
                .toList());
    }

    private void isAnswered(byte[] request, int count, int payload, IntToLongFunction result) {
        byte[] expected = Wire.batch(IntStream.rangeClosed(1, count)
                .mapToObj(number -> Wire.output(number, result.applyAsLong(number), PayloadChecks.random(payload)))
                .toList());
        assertThat(send(request)).succeedsWithin(ResponderKit.PATIENCE).satisfies(reply -> {
            assertThat(reply.reason()).isEmpty();
            assertThat(reply.body()).isEqualTo(expected);
        });
    }

    private static long square(int number) {
        return (long) number * number;
    }

    @ParameterizedTest
    @CsvSource({"1,0", "2,0", "1000,0", "10000,0", "1,131072", "7,100000", "100,1000"})
    default void squaresABatchAndCountsItsInputs(int count, int payload) {
        int ok = service().squares("ok");
        isAnswered(inputs(count, payload), count, payload, BatchChecks::square);
        assertThat(service().squares("ok")).isEqualTo(ok + count);
    }

    @ParameterizedTest
    @ValueSource(ints = {0, -1, Integer.MIN_VALUE})
    default void oneBadInputIsAnErrorOfTheWholeBatch(int bad) {
        int ok = service().squares("ok");
        int invalid = service().squares("invalid");
        List<byte[]> inputs = new ArrayList<>(List.of(Wire.input(1), Wire.input(2), Wire.input(3)));
        inputs.add(1, Wire.input(bad));

        isRefused(Wire.batch(inputs), "1 to 2147483647", "" + bad);

        assertThat(service().squares("ok")).isEqualTo(ok);
        assertThat(service().squares("invalid")).isEqualTo(invalid + 4);
    }

    @Test
    default void refusesABatchThatIsNoneOrEmptyOrTooLargeAndGoesOn() {
        isRefused(new byte[] {(byte) 0xFF, 1, 2}, "square.Inputs");
        isRefused(new byte[0], "1 to 10000", "0");
        isRefused(inputs(10_001, 0), "1 to 10000", "10001");
        isAnswered(inputs(3, 0), 3, 0, BatchChecks::square);
    }

    @Test
    default void theInputsOfABatchWaitAtTheSameTime() {
        List<byte[]> inputs = IntStream.rangeClosed(1, 100)
                .mapToObj(number -> Wire.input(number, 200, 1_000_000))
                .toList();
        long start = System.nanoTime();
        isAnswered(Wire.batch(inputs), 100, 0, BatchChecks::square);
        assertThat(Duration.ofNanos(System.nanoTime() - start)).isGreaterThanOrEqualTo(Duration.ofSeconds(1));
    }

    @Test
    default void refusesABatchWhoseInputsBurnTooMuchTogether() {
        isRefused(Wire.batch(Collections.nCopies(1_001, Wire.input(3, 10_000, 0))), "10s", "10010ms");
    }

    private void isRefused(byte[] request, String... parts) {
        assertThat(send(request)).succeedsWithin(ResponderKit.PATIENCE).satisfies(reply -> {
            assertThat(reply.code()).isEqualTo(400);
            assertThat(reply.reason()).contains(parts);
            assertThat(reply.body()).isEmpty();
        });
    }

    @Test
    default void faultsOnDemandHitTheInputsOfABatch() {
        int wrong = service().squares("wrong");
        service().putFaults("{\"wrong\":1}");
        isAnswered(inputs(5, 0), 5, 0, number -> square(number) + 1);
        assertThat(service().squares("wrong")).isEqualTo(wrong + 5);

        int dropped = service().squares("dropped");
        service().putFaults("{\"wrong\":0,\"drop\":1}");
        CompletableFuture<Requester.Message> answer = send(inputs(5, 0));
        await().atMost(ResponderKit.PATIENCE).until(() -> service().squares("dropped") == dropped + 5);
        assertThat(answer).isNotDone();

        service().putFaults("{\"drop\":0,\"delay\":\"300ms\"}");
        long start = System.nanoTime();
        isAnswered(inputs(5, 0), 5, 0, BatchChecks::square);
        assertThat(Duration.ofNanos(System.nanoTime() - start)).isGreaterThanOrEqualTo(Duration.ofMillis(300));
    }
}

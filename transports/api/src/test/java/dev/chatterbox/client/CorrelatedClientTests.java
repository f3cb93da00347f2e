package dev.chatterbox.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.chatterbox.connection.BrokerConnection;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import reactor.core.publisher.Mono;
import reactor.test.StepVerifier;

@ExtendWith(OutputCaptureExtension.class)
class CorrelatedClientTests {

    private static final SquareRequest REQUEST = TestRequests.of(3, Duration.ofMinutes(1));

    private Exception failure = new IllegalStateException("Output queue is full 5000");
    private final CountDownLatch end = new CountDownLatch(1);
    private final CorrelatedClient<BrokerConnection> client = new FailingClient();

    private final class FailingClient extends CorrelatedClient<BrokerConnection> {

        FailingClient() {
            super(
                    "failing",
                    new CallLimits(10, 0, 1 << 20, Duration.ofSeconds(5)),
                    new SimpleMeterRegistry(),
                    "the broker at there:1",
                    "no responder");
        }

        @Override
        protected BrokerConnection open() throws IOException {
            if (end.getCount() == 0) {
                throw new IOException("refused");
            }
            return new BrokerConnection() {
                @Override
                public void awaitEnd() throws InterruptedException {
                    end.await();
                }

                @Override
                public void close() {}
            };
        }

        @Override
        protected void send(BrokerConnection connection, long correlationId, SquareRequest request) throws Exception {
            throw failure;
        }

        @Override
        protected int responders(BrokerConnection connection) throws Exception {
            throw failure;
        }
    }

    @AfterEach
    void stop() {
        client.stop();
    }

    private void connect() {
        client.start();
        await().until(() -> client.current() != null);
    }

    private static void fails(Mono<?> call, String message) {
        StepVerifier.create(call)
                .expectErrorSatisfies(error -> {
                    assertThat(error).hasMessage(message);
                    assertThat(Outcome.of(error)).isEqualTo(Outcome.UNAVAILABLE);
                })
                .verify(Duration.ofSeconds(10));
    }

    @Test
    void saysWhatTheLibrarySaysWhileThereIsAConnection() {
        connect();
        String message = "the broker at there:1 did not take a request:"
                + " java.lang.IllegalStateException: Output queue is full 5000";

        fails(client.square(REQUEST), message);
        fails(client.check(), message);
    }

    @Test
    void logsTheFirstFailureOfAConnection(CapturedOutput output) {
        connect();
        failure = new NullPointerException("a fault of this program");
        client.square(REQUEST).onErrorComplete().block();
        client.square(REQUEST).onErrorComplete().block();

        assertThat(output)
                .containsOnlyOnce("A request to the broker at there:1 failed")
                .contains("NullPointerException: a fault of this program");
    }

    @Test
    void saysThatThereIsNoConnectionWhenThereIsNone() {
        connect();
        end.countDown();
        await().until(() -> client.current() == null);

        fails(client.square(REQUEST), "no connection to the broker at there:1");
        fails(client.check(), "no connection to the broker at there:1");
    }

    @Test
    void passesOnTheErrorThatAClientChose() {
        connect();
        failure = new CallException(Outcome.UNAVAILABLE, "no stream stores the subject");

        fails(client.square(REQUEST), "no stream stores the subject");
    }
}

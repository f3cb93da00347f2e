package dev.chatterbox.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.chatterbox.client.CallException;
import dev.chatterbox.client.DirectClientContract;
import dev.chatterbox.client.DirectPeer;
import dev.chatterbox.client.Outcome;
import dev.chatterbox.client.SquareClient;
import dev.chatterbox.client.SquareReply;
import dev.chatterbox.client.TestRequests;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;
import reactor.test.StepVerifier;

/** What all clients over HTTP have in common that are not stock ones. */
public abstract class HttpClientContract extends DirectClientContract {

    private final boolean h2c;

    /** @param h2c whether the client speaks HTTP/2 without TLS; otherwise HTTP/1.1 */
    protected HttpClientContract(Wiring wiring, boolean h2c) {
        super(wiring);
        this.h2c = h2c;
    }

    @Override
    protected final DirectPeer peer(int port) {
        return new HttpPeer(port, h2c);
    }

    /** The body, longer than any number, is not gathered until the deadline, and its connection is given back. */
    @Test
    void aBodyWithoutAnEndIsAnErrorAtOnce() {
        CallException error = errorOf(request -> ((HttpPeer.Request) request).endless());
        assertThat(error.outcome()).isEqualTo(Outcome.ERROR);
        assertThat(error).hasMessage("a reply that is not a JSON number");
    }

    /**
     * Any thread may give up a call at any moment: before it has a connection, while it is being sent, or while its
     * reply arrives. Another call may use the connection by then.
     */
    @Test
    void callsThatAreCancelledSpoilNoOthers() {
        SquareClient client = ready(clientOfTheRealResponder());

        Mono<Void> calls = Flux.range(1, 10_000)
                .flatMap(
                        number -> {
                            Mono<SquareReply> call = client.square(TestRequests.of(number, LONG));
                            return number % 2 == 0
                                    ? call
                                    : call.takeUntilOther(Mono.fromRunnable(() -> pause(number % 64 * 20))
                                            .subscribeOn(Schedulers.boundedElastic()));
                        },
                        128)
                .then();

        StepVerifier.create(calls).expectComplete().verify(Duration.ofMinutes(2));
        await().atMost(PATIENCE).untilAsserted(() -> assertThat(holds(client)).isZero());
    }

    private static void pause(int micros) {
        LockSupport.parkNanos(micros * 1000L);
    }
}

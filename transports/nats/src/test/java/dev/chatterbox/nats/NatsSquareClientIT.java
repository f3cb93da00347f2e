package dev.chatterbox.nats;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.chatterbox.brokers.RunningBroker;
import dev.chatterbox.client.Outcome;
import dev.chatterbox.client.SquareClient;
import dev.chatterbox.client.SquareRequest;
import dev.chatterbox.client.TestRequests;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Flux;
import reactor.test.StepVerifier;

class NatsSquareClientIT extends NatsContract {

    @Override
    protected String variant() {
        return "nats";
    }

    /** Messages for such a server stay in memory, even after their deadlines, so this state must not last long. */
    @Test
    void aServerThatReadsNothingIsAnOutageAndAConnectionAgainAfterwards() {
        RunningBroker broker = open(brokerOfItsOwn());
        SquareClient client = ready(clientOf(broker));
        // More than the sockets' buffers hold.
        SquareRequest request = TestRequests.of(3, SquareRequest.MOST_PAYLOAD, SHORT);
        broker.process().freeze();
        try {
            Flux.range(0, 200)
                    .flatMap(call -> client.square(request).onErrorComplete(), 200)
                    .blockLast(PATIENCE);
            await().atMost(PATIENCE).until(() -> !connected(client));
            assertThat(holds(client)).isZero();
            StepVerifier.create(client.square(request))
                    .expectErrorSatisfies(error -> assertThat(Outcome.of(error)).isEqualTo(Outcome.UNAVAILABLE))
                    .verify(AT_ONCE);
        } finally {
            broker.process().resume();
        }
        await().atMost(PATIENCE).until(() -> connected(client));
    }
}

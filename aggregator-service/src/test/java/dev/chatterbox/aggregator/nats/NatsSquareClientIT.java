package dev.chatterbox.aggregator.nats;

import static org.assertj.core.api.Assertions.assertThat;

import dev.chatterbox.aggregator.client.ClientSettings;
import dev.chatterbox.aggregator.client.SquareClient;
import dev.chatterbox.aggregator.client.SquareRequest;
import dev.chatterbox.brokers.RunningBroker;
import dev.chatterbox.rows.Row;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

class NatsSquareClientIT extends NatsContract {

    @Override
    protected String row() {
        return "nats";
    }

    @Override
    SquareClient client(Row row, ClientSettings settings) {
        return new NatsSquareClient(row, settings, FAN_OUT, meters);
    }

    @Override
    protected int held(SquareClient client) {
        return ((NatsSquareClient) client).outstanding();
    }

    @Override
    protected boolean connected(SquareClient client) {
        return ((NatsSquareClient) client).connected();
    }

    /** jnats does not notice such a server for a minute, and keeps what is published, also after its deadline. */
    @Test
    void keepsABoundedPartOfPayloadsForAServerThatReadsNothing() throws Exception {
        RunningBroker broker = open(brokerOfItsOwn());
        SquareClient client = ready(clientOf(broker));
        SquareRequest request = new SquareRequest(false, 3, 1, SquareRequest.MOST_PAYLOAD, Duration.ofSeconds(1));
        signal("STOP", broker);
        try {
            List<String> errors = Flux.range(0, 600)
                    .flatMap(
                            call -> client.square(request)
                                    .map(reply -> "answered")
                                    .onErrorResume(error -> Mono.just(String.valueOf(error.getMessage()))),
                            600)
                    .collectList()
                    .block(PATIENCE);
            assertThat(errors).hasSize(600);
            assertThat(errors)
                    .filteredOn(error -> error.contains("reads nothing"))
                    .as("what is more than 32 MiB and the sockets hold")
                    .hasSizeGreaterThan(200);
            assertThat(held(client)).isZero();
        } finally {
            signal("CONT", broker);
        }
    }

    private static void signal(String signal, RunningBroker broker) throws Exception {
        Process kill = new ProcessBuilder(
                        "kill", "-" + signal, Long.toString(broker.process().pid()))
                .inheritIO()
                .start();
        assertThat(kill.waitFor()).isZero();
    }
}

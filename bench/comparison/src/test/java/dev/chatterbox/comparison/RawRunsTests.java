package dev.chatterbox.comparison;

import static org.assertj.core.api.Assertions.assertThat;

import dev.chatterbox.rows.Row;
import dev.chatterbox.rows.Rows;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class RawRunsTests {

    private static final Rows ROWS = Rows.read(Path.of("../../rows"));

    @Test
    void runABareClientOnceForAllRowsThatDifferAboveIt() {
        List<String> rows = List.of("kafka-stock", "kafka", "nats-stock", "nats", "nats-jnats", "memory");
        Target target = new Target(
                new Target.Process("aggregator-service", 1, 8080),
                rows.stream().map(row -> target(ROWS.find(row).orElseThrow())).toList(),
                List.of());

        assertThat(RawRuns.shared(target, rows))
                .containsExactly(
                        Map.entry("kafka-stock", "kafka-stock"),
                        Map.entry("kafka", "kafka"),
                        Map.entry("nats-stock", "nats-stock"),
                        Map.entry("nats", "nats-stock"),
                        Map.entry("nats-jnats", "nats-stock"));
    }

    /** Through a proxy it would be the proxy's limit that is shown. */
    @Test
    void runNoBareClientOverANetwork() {
        Network network = new Network() {
            @Override
            public Target.Process process() {
                return RawRunsTests.process("network");
            }

            @Override
            public List<NetworkLink> links() {
                return List.of();
            }

            @Override
            public int distanceMillis() {
                return 0;
            }

            @Override
            public void setDistance(int millis) {
                throw new AssertionError(millis);
            }
        };
        Target target = new Target(
                process("aggregator-service"),
                List.of(target(ROWS.find("nats").orElseThrow())),
                List.of(),
                Optional.of(network));

        assertThat(RawRuns.shared(target, List.of("nats"))).isEmpty();
    }

    private static Target.RowTarget target(Row row) {
        return new Target.RowTarget(
                row,
                row.responder().map(responder -> process(responder.name())),
                Optional.empty(),
                row.broker().map(broker -> process(broker.name())),
                List.of(),
                row.rawClient().map(main -> new Target.RawClient(List.of("java", main), Map.of())));
    }

    private static Target.Process process(String name) {
        return new Target.Process(name, name.hashCode(), 1);
    }
}

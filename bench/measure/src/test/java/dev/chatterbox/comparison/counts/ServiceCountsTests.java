package dev.chatterbox.comparison.counts;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpServer;
import dev.chatterbox.stack.Member;
import dev.chatterbox.stack.Target;
import dev.chatterbox.variants.Variants;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class ServiceCountsTests {

    private static final String AGGREGATOR = """
            # HELP chatterbox_calls_seconds Calls from sent to replied
            # TYPE chatterbox_calls_seconds histogram
            chatterbox_calls_seconds_count{outcome="ok",transport="nats"} 10
            chatterbox_calls_seconds_count{outcome="timeout",transport="nats"} 1
            chatterbox_calls_seconds_count{outcome="ok",transport="rest"} 777
            chatterbox_inputs_total{outcome="ok",transport="nats"} 100.0
            chatterbox_inputs_total{outcome="timeout",transport="nats"} 2.0
            chatterbox_inputs_total{outcome="ok",transport="rest"} 7777.0
            chatterbox_replies_unmatched_total{transport="nats"} 3.0
            chatterbox_replies_unmatched_total{transport="rest"} 5.0
            """;

    private static final String RESPONDER = """
            chatterbox_squares_total{outcome="ok",responder="r"} 100.0
            chatterbox_squares_total{outcome="dropped",responder="r"} 2.0
            chatterbox_squares_total{outcome="undeliverable",responder="r"} 1.0
            chatterbox_squares_total{outcome="ok",responder="other"} 7777.0
            chatterbox_faults{fault="delay"} 0.02
            chatterbox_faults{fault="drop"} 0.01
            chatterbox_faults{fault="wrong"} 0.0
            """;

    private final List<HttpServer> servers = new ArrayList<>();
    private volatile String aggregatorFigures = AGGREGATOR;
    private volatile String responderFigures = RESPONDER;

    @AfterEach
    void close() {
        servers.forEach(server -> server.stop(0));
    }

    private Target target(int responderStatus) throws IOException {
        return target(1, responderStatus);
    }

    /** @param processes how many processes the aggregator and the responder have */
    private Target target(int processes, int responderStatus) throws IOException {
        List<Member> aggregators = new ArrayList<>();
        List<Member> responders = new ArrayList<>();
        for (int i = 1; i <= processes; i++) {
            aggregators.add(Member.of("aggregator-" + i, i, serve("/actuator/prometheus", 200, true)));
            responders.add(Member.of("r-" + i, i, serve("/metrics", responderStatus, false)));
        }
        Target.VariantTarget variant = new Target.VariantTarget(
                Variants.read(Path.of("../../variants")).find("nats").orElseThrow(),
                Optional.of(new Target.Service("r", responders)),
                Optional.of("/metrics"),
                List.of(),
                Optional.empty(),
                Optional.empty(),
                Optional.empty());
        return new Target(
                new Target.Service("aggregator", aggregators),
                List.of(variant, variant),
                List.of(),
                Optional.empty(),
                Map.of());
    }

    private int serve(String path, int status, boolean aggregator) throws IOException {
        HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getByName("127.0.0.1"), 0), 0);
        server.createContext(path, exchange -> {
            byte[] body = (aggregator ? aggregatorFigures : responderFigures).getBytes(StandardCharsets.UTF_8);
            exchange.sendResponseHeaders(status, body.length);
            exchange.getResponseBody().write(body);
            exchange.close();
        });
        server.start();
        servers.add(server);
        return server.getAddress().getPort();
    }

    @Test
    void takeWhatBelongsToEachVariantAndResponder() throws IOException {
        ServiceCounts counts = ServiceCounts.of(target(200));

        assertThat(counts.outcomes()).containsEntry("nats", Map.of("ok", 100.0, "timeout", 2.0));
        assertThat(counts.calls("nats")).isEqualTo(102);
        assertThat(counts.calls("absent")).isZero();
        assertThat(counts.messages()).containsEntry("nats", 11.0);
        assertThat(counts.unmatched()).containsEntry("nats", 3.0).containsEntry("rest", 5.0);
        assertThat(counts.squares()).as("over all outcomes").isEqualTo(Map.of("r", 102.0));
        assertThat(counts.faults()).as("only those that are on").isEqualTo(Map.of("r", "delay 0.02 s, drop 0.01"));
    }

    @Test
    void addUpTheProcessesOfAService() throws IOException {
        ServiceCounts counts = ServiceCounts.of(target(2, 200));

        assertThat(counts.calls("nats")).isEqualTo(204);
        assertThat(counts.messages()).containsEntry("nats", 22.0);
        assertThat(counts.squares()).isEqualTo(Map.of("r", 204.0));
        assertThat(counts.shares()).isEqualTo(Map.of("r-1", 102.0, "r-2", 102.0));
    }

    @Test
    void countFromOneReadingToTheNext() throws IOException {
        Target target = target(200);
        ServiceCounts earlier = ServiceCounts.of(target);
        aggregatorFigures = AGGREGATOR.replace(
                "inputs_total{outcome=\"ok\",transport=\"nats\"} 100",
                "inputs_total{outcome=\"ok\",transport=\"nats\"} 200");
        responderFigures = RESPONDER.replace("100.0", "200.0").replace("delay\"} 0.02", "delay\"} 0.0");

        ServiceCounts block = ServiceCounts.of(target).since(earlier);

        assertThat(block.calls("nats")).isEqualTo(100);
        assertThat(block.calls("rest")).isZero();
        assertThat(block.unmatched().get("nats")).isZero();
        assertThat(block.squares()).isEqualTo(Map.of("r", 100.0));
        assertThat(block.faults()).as("those of either end").containsKey("r");
    }

    @Test
    void cannotBeReadWhereAServiceDoesNotAnswer() throws IOException {
        Target target = target(503);

        assertThatThrownBy(() -> ServiceCounts.of(target))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("503");
    }
}

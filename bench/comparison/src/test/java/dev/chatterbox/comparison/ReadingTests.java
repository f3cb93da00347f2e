package dev.chatterbox.comparison;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpServer;
import dev.chatterbox.rows.Row;
import dev.chatterbox.rows.Rows;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What is asked of the services, and how often. */
class ReadingTests {

    private static final byte[] LATENCY = """
            {"transport":"a","calls":5,"maxNanos":1900000,"buckets":[[1000000,3],[2000000,2]]}""".getBytes(StandardCharsets.UTF_8);

    private final ConcurrentLinkedQueue<String> asked = new ConcurrentLinkedQueue<>();
    private final HttpServer server;

    ReadingTests() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/", exchange -> {
            asked.add(exchange.getRequestURI().toString());
            String path = exchange.getRequestURI().getPath();
            boolean known = !path.equals("/none") && !path.equals("/transports/old/latency");
            byte[] body = path.startsWith("/transports") ? LATENCY : """
                    chatterbox_inputs_total{outcome="ok",transport="a"} 5
                    chatterbox_inputs_total{outcome="ok",transport="b"} 7
                    chatterbox_calls_seconds_count{outcome="ok",transport="a"} 2
                    chatterbox_squares_total{outcome="ok",responder="square-service-a"} 5
                    chatterbox_faults{fault="wrong"} 0.25
                    """.getBytes(StandardCharsets.UTF_8);
            exchange.sendResponseHeaders(known ? 200 : 404, body.length);
            exchange.getResponseBody().write(body);
            exchange.close();
        });
        server.start();
    }

    @AfterEach
    void stop() {
        server.stop(0);
    }

    @Test
    void asksAggregatorAndResponderOnceForCountsAndFaults() throws IOException {
        Reading reading = Reading.take(target("/metrics"), "a");

        assertThat(reading.aggregator().calls()).isEqualTo(5);
        assertThat(reading.aggregator().messages()).isEqualTo(2);
        assertThat(reading.responder())
                .isEqualTo(new ResponderReading("square-service-a", 5, Map.of("wrong", 0.25), null));
        assertThat(asked)
                .hasSize(2)
                .satisfiesOnlyOnce(path -> assertThat(path).startsWith("/actuator/prometheus?includedNames="))
                .as("a responder of another language is asked as it says")
                .satisfiesOnlyOnce(path -> assertThat(path).isEqualTo("/metrics"));
    }

    @Test
    void readsTheLatenciesOfCallsWhereTheAggregatorTellsThem() throws IOException {
        LatencyBuckets latency =
                Reading.takeWithLatency(target("/metrics"), "a").aggregator().latency();

        assertThat(asked).contains("/transports/a/latency");
        assertThat(latency).isNotNull();
        assertThat(latency.count()).isEqualTo(5);
        assertThat(latency.latency(1).max()).isEqualTo(0.0019);
        assertThat(Reading.take(target("/metrics"), "a").aggregator().latency()).isNull();
    }

    @Test
    void doesWithoutLatenciesOfAnOlderAggregator() throws IOException {
        Target old = new Target(
                process("aggregator-service"),
                List.of(new Target.RowTarget(
                        row("old"), Optional.empty(), Optional.empty(), Optional.empty(), List.of(), Optional.empty())),
                List.of());

        assertThat(Reading.takeWithLatency(old, "old").aggregator().latency()).isNull();
    }

    @Test
    void asksForNoMoreThanItNeedsWhereThatIsPossible() throws IOException {
        Reading.take(target("/actuator/prometheus"), "a");

        assertThat(asked)
                .hasSize(2)
                .allSatisfy(path -> assertThat(path)
                        .startsWith("/actuator/prometheus?includedNames=")
                        .contains("chatterbox_squares", "chatterbox_faults"));
    }

    @Test
    void asksTheAggregatorAloneWhereThereIsNoResponder() throws IOException {
        Target alone = new Target(
                process("aggregator-service"),
                List.of(new Target.RowTarget(
                        row(), Optional.empty(), Optional.empty(), Optional.empty(), List.of(), Optional.empty())),
                List.of());

        assertThat(Reading.take(alone, "a").responder()).isNull();
        assertThat(asked).hasSize(1);
    }

    @Test
    void failsWhereAServiceDoesNotAnswer() {
        assertThatThrownBy(() -> Reading.take(target("/none"), "a"))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("answered 404 to /none");
        assertThatThrownBy(() -> target("/metrics").row("b")).isInstanceOf(ComparisonException.class);
    }

    private Target target(String metrics) {
        return new Target(
                process("aggregator-service"),
                List.of(new Target.RowTarget(
                        row(),
                        Optional.of(process("square-service-a")),
                        Optional.of(metrics),
                        Optional.empty(),
                        List.of(),
                        Optional.empty())),
                List.of());
    }

    private Target.Process process(String name) {
        return new Target.Process(
                name, ProcessHandle.current().pid(), server.getAddress().getPort());
    }

    private static Row row() {
        return row("a");
    }

    private static Row row(String name) {
        Properties properties = new Properties();
        properties.putAll(Map.of(
                "transport", name, "about", "a", "kind", "memory", "exchanges", "unary", "client", "a.ASquareClient"));
        return Rows.of(Map.of(name + ".properties", properties)).find(name).orElseThrow();
    }
}

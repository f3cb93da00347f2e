package dev.chatterbox.comparison.remote;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpServer;
import dev.chatterbox.rows.Rows;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Asks a server that answers as an aggregator and as a Prometheus. */
class DeploymentTests {

    private static final Rows ROWS = Rows.read(Path.of("../../rows"));

    private static final String UP = """
            [{"name":"nats","kind":"broker","state":"up","exchanges":["unary"],"responder":"square-service-nats","broker":"nats"},
             {"name":"kafka","kind":"log","state":"down","exchanges":["unary"],"responder":"square-service-kafka","broker":"kafka"}]
            """;

    private static final String NOTHING = """
            {"status":"success","data":{"resultType":"matrix","result":[]}}
            """;

    private final Map<String, String> answers = new ConcurrentHashMap<>();

    /** What Prometheus answers to a query that holds the key. */
    private final Map<String, String> queries = new ConcurrentHashMap<>();

    private final List<String> asked = new ArrayList<>();
    private HttpServer server;

    @BeforeEach
    void start() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/", exchange -> {
            String path = exchange.getRequestURI().getPath();
            String query =
                    URLDecoder.decode(String.valueOf(exchange.getRequestURI().getRawQuery()), StandardCharsets.UTF_8);
            asked.add(exchange.getRequestHeaders().getFirst("Authorization") + " " + query);
            String answer = path.equals("/api/v1/query")
                    ? queries.entrySet().stream()
                            .filter(known -> query.contains(known.getKey()))
                            .map(Map.Entry::getValue)
                            .findFirst()
                            .orElse(NOTHING)
                    : answers.get(path);
            byte[] body = (answer == null ? "no such page" : answer).getBytes(StandardCharsets.UTF_8);
            exchange.sendResponseHeaders(answer == null ? 404 : 200, body.length);
            exchange.getResponseBody().write(body);
            exchange.close();
        });
        server.start();
        answers.put("/transports", UP);
        answers.put("/actuator/info", "{\"build\":{\"version\":\"1.0.0\"}}");
        queries.put("query=time()", scalar());
        queries.put("chatterbox_inputs_total{}", recent("{\"transport\":\"nats\",\"outcome\":\"ok\"}"));
    }

    @AfterEach
    void stop() {
        server.stop(0);
    }

    @Test
    void findsTheRowsThatAreUpAndTheClocksOfTheirProcesses() {
        queries.put(
                "process_cpu_time_ns_total{process=~\"aggregator-service\"",
                recent("{\"process\":\"aggregator-service\"}"));
        queries.put("groupname=~\"nats-broker\"", recent("{\"groupname\":\"nats-broker\"}"));

        Deployment found = find(Optional.of(prometheus()));

        assertThat(found.target().rows()).extracting(row -> row.row().name()).containsExactly("nats");
        assertThat(found.clocks().get("aggregator-service").counter()).isEqualTo("process_cpu_time_ns_total");
        assertThat(found.clocks().get("nats").counter()).isEqualTo("namedprocess_namegroup_cpu_seconds_total");
        assertThat(found.missing())
                .singleElement()
                .asString()
                .contains("does not tell the CPU time of square-service-nats");
        assertThat(found.ahead()).as("its clock is an hour ahead").isBetween(3595.0, 3605.0);
        assertThat(asked).as("the token goes along").contains("Bearer secret query=time()");
    }

    @Test
    void readsTheSamplesOfACounter() throws IOException {
        queries.put(
                "chatterbox_inputs_total{transport=~\"nats\"}",
                matrix(1000, "{\"transport\":\"nats\",\"outcome\":\"ok\"}"));

        List<Series> calls = prometheus().samples("chatterbox_inputs_total", Map.of("transport", "nats"), 1000, 1010);

        assertThat(calls).singleElement().satisfies(series -> {
            assertThat(series.labels()).containsEntry("outcome", "ok");
            assertThat(series.points()).containsExactly(new Series.Point(1001, 10), new Series.Point(1002.5, 25));
        });
        assertThat(asked.get(0)).contains("chatterbox_inputs_total{transport=~\"nats\"}[10001ms]", "time=1010.000");
    }

    @Test
    void saysWhatIsWrongWithATarget() {
        answers.put("/transports", "[]");
        assertRefused("is no Chatterbox: /transports there has no rows");
        answers.put("/transports", "<html>");
        assertRefused("answers to /transports without JSON. A target is the address of an aggregator");
        answers.remove("/transports");
        assertRefused("answers 404 to /transports. A target is");
        answers.put("/transports", UP);
        answers.put("/actuator/info", "{\"build\":{\"version\":\"0.9\"}}");
        assertRefused("runs Chatterbox 0.9, and this is 1.0.0");
    }

    @Test
    void saysWhichRowsAreUpIfAnotherOneIsNamed() {
        assertThatThrownBy(() -> Deployment.find(
                        aggregator(), Optional.of(prometheus()), List.of("kafka"), false, ROWS, "1.0.0"))
                .isInstanceOf(DeploymentException.class)
                .hasMessageContaining("The row kafka is down at")
                .hasMessageContaining("up are: nats.");
        assertThatThrownBy(() ->
                        Deployment.find(aggregator(), Optional.of(prometheus()), List.of("grpc"), false, ROWS, "1.0.0"))
                .hasMessageContaining("The row grpc is not there at");
    }

    @Test
    void refusesAPrometheusThatKnowsNoneOfItOrSeveralSystems() {
        assertRefused("knows the CPU time of none of these processes: aggregator-service, square-service-nats, nats.");
        queries.put(
                "process_cpu_time_ns_total",
                recent("{\"process\":\"aggregator-service\",\"namespace\":\"a\"}", "{\"namespace\":\"b\"}"));
        assertRefused("has aggregator-service in several systems");
        assertRefused("--match namespace=NAME");
        queries.remove("chatterbox_inputs_total{}");
        assertRefused("has no chatterbox_inputs_total");
    }

    @Test
    void refusesAddressesThatAreNone() {
        for (String wrong : List.of("localhost:8080", "ftp://host", "http://", "http://host/?a=b")) {
            assertThatThrownBy(() -> Remote.of(wrong, Optional.empty()))
                    .as(wrong)
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("is no address");
        }
        assertThatThrownBy(() -> Remote.of("http://user:secret@host", Optional.empty()))
                .hasMessageNotContaining("secret");
        assertThat(Remote.of("https://host:9/prometheus/", Optional.empty()).address())
                .hasPath("/prometheus");
    }

    private void assertRefused(String message) {
        assertThatThrownBy(() -> find(Optional.of(prometheus())))
                .isInstanceOf(DeploymentException.class)
                .hasMessageContaining(message);
    }

    private Deployment find(Optional<PrometheusServer> prometheus) {
        return Deployment.find(aggregator(), prometheus, List.of(), false, ROWS, "1.0.0");
    }

    private Remote aggregator() {
        return Remote.of("http://127.0.0.1:" + server.getAddress().getPort(), Optional.empty());
    }

    private PrometheusServer prometheus() {
        return new PrometheusServer(
                Remote.of("http://127.0.0.1:" + server.getAddress().getPort(), Optional.of("Bearer secret")), Map.of());
    }

    private static String scalar() {
        return "{\"status\":\"success\",\"data\":{\"resultType\":\"scalar\",\"result\":[%.3f,\"1\"]}}"
                .formatted(System.currentTimeMillis() / 1e3 + 3600);
    }

    /** Samples of the last seconds by Prometheus' clock, which is an hour ahead. */
    private static String recent(String... labels) {
        return matrix(System.currentTimeMillis() / 1000 + 3590, labels);
    }

    private static String matrix(long second, String... labels) {
        List<String> series = new ArrayList<>();
        for (String each : labels) {
            series.add("{\"metric\":%s,\"values\":[[%d,\"1\"],[%d,\"10\"],[%d.5,\"25\"]]}"
                    .formatted(each, second - 1, second + 1, second + 2));
        }
        return "{\"status\":\"success\",\"data\":{\"resultType\":\"matrix\",\"result\":[%s]}}"
                .formatted(String.join(",", series));
    }
}

package dev.chatterbox.cli;

import static java.util.stream.Collectors.groupingBy;
import static java.util.stream.Collectors.toSet;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import dev.chatterbox.cli.Collector.Received;
import dev.chatterbox.cli.Commands.Result;
import dev.chatterbox.processes.LocalHttp;
import dev.chatterbox.stack.Repository;
import dev.chatterbox.variants.Variant;
import io.opentelemetry.proto.trace.v1.Span;
import io.opentelemetry.proto.trace.v1.Span.SpanKind;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Reads the spans of requests over every transport back from a collector. */
@Tag("long")
class TracesIT {

    private static final int N = 20;

    private static final Duration PATIENCE = Duration.ofMinutes(1);

    private final Repository repository = Commands.builtCheckout();
    private final Commands commands = new Commands(repository);
    private final int offset = commands.freeOffset();
    private final Collector collector = new Collector();

    TracesIT() throws IOException {}

    @AfterEach
    void leavesNothing() throws IOException {
        commands.run("down", "--port-offset=" + offset);
        collector.close();
        commands.removeStack(offset);
    }

    /** This is one test, because each start of the system takes many seconds. */
    @Test
    void haveASpanForEachCallAndForItsWork() throws Exception {
        Result up = commands.run(
                Map.of("OTEL_EXPORTER_OTLP_ENDPOINT", collector.endpoint(), "OTEL_BSP_SCHEDULE_DELAY", "100"),
                "up",
                "--transports=each,rest-h2c,rest-python,nats-python,kafka-python,kafka-stock",
                "--traces=1",
                "--port-offset=" + offset);
        assertThat(up.exitCode()).as(up.output()).isZero();
        List<String> variants = repository.stack(offset).state().variants();
        assertThat(variants).contains("rest", "nats", "jetstream", "kafka", "grpc", "rsocket", "artemis");
        for (String variant : variants) {
            Variant known = repository.variants().find(variant).orElseThrow();
            if (known.responder().isPresent()) {
                JsonNode waterfall = waterfall(variant);
                boolean tells = !variant.equals("kafka-stock");
                requireOrder(variant, waterfall, tells);
                String responder = known.responder().orElseThrow().name();
                requireSpans(variant, waterfall.path("traceId").asString(), tells ? N : 0, responder);
            }
        }
        takesPartInATraceOfItsClient(variants.get(0));
    }

    private JsonNode waterfall(String variant) throws IOException {
        LocalHttp.Answer answer =
                LocalHttp.get(8080 + offset, "/%s/square/unary/%d?trace=true".formatted(variant, N), PATIENCE);
        assertThat(answer.status()).as("%s: %s", variant, answer.body()).isEqualTo(200);
        return JsonMapper.shared().readTree(answer.body());
    }

    private static void requireOrder(String variant, JsonNode waterfall, boolean tells) {
        assertThat(waterfall.path("n").asInt()).isEqualTo(N);
        assertThat(waterfall.path("bars")).as(variant).hasSize(N).allSatisfy(bar -> {
            double sent = bar.path("sent").asDouble();
            double ended = bar.path("ended").asDouble();
            assertThat(sent).isBetween(0.0, ended);
            assertThat(ended).isLessThanOrEqualTo(waterfall.path("micros").asDouble());
            assertThat(bar.has("responder")).isEqualTo(tells);
            if (tells) {
                double begun = bar.path("begun").asDouble();
                assertThat(begun).isBetween(sent, ended);
                assertThat(bar.path("answered").asDouble()).isBetween(begun, ended);
            }
        });
        // All run on this machine, and so by one clock.
        assertThat(waterfall.path("clockOffsets"))
                .as(variant)
                .allSatisfy(clock -> assertThat(clock.asDouble()).isZero());
    }

    /** @param worked how many spans the responder sends */
    private void requireSpans(String variant, String traceId, int worked, String responder) {
        List<Received> all = await(traceId, 1 + 2 * N + worked);
        Map<SpanKind, List<Received>> kinds =
                all.stream().collect(groupingBy(span -> span.span().getKind()));
        List<Received> calls = kinds.get(SpanKind.SPAN_KIND_CLIENT);
        Span request = all.stream()
                .map(Received::span)
                .filter(span -> span.getParentSpanId().isEmpty())
                .reduce((one, other) -> {
                    throw new AssertionError(variant + " has two spans without a parent");
                })
                .orElseThrow();
        assertThat(request.getKind()).isEqualTo(SpanKind.SPAN_KIND_SERVER);
        assertThat(calls).as(variant).hasSize(N);
        assertThat(kinds.get(SpanKind.SPAN_KIND_INTERNAL)).as(variant).hasSize(N);
        assertThat(all)
                .filteredOn(span -> span.span().getKind() != SpanKind.SPAN_KIND_SERVER)
                .allSatisfy(span -> {
                    assertThat(span.service()).isEqualTo("aggregator-service");
                    assertThat(span.span().getParentSpanId()).isEqualTo(request.getSpanId());
                });
        List<Received> works =
                all.stream().filter(span -> span.service().equals(responder)).toList();
        Set<ByteString> ids =
                calls.stream().map(span -> span.span().getSpanId()).collect(toSet());
        assertThat(works).as(variant).hasSize(worked);
        assertThat(works).allSatisfy(work -> assertThat(work.span().getKind()).isEqualTo(SpanKind.SPAN_KIND_SERVER));
        if (worked > 0) {
            assertThat(works)
                    .extracting(work -> work.span().getParentSpanId())
                    .as("%s: a span of work for each call", variant)
                    .containsExactlyInAnyOrderElementsOf(ids);
        }
    }

    private List<Received> await(String traceId, int number) {
        Awaitility.await()
                .atMost(PATIENCE)
                .untilAsserted(() -> assertThat(collector.spans(traceId)).hasSize(number));
        return collector.spans(traceId);
    }

    private void takesPartInATraceOfItsClient(String variant) throws Exception {
        String traceId = "0af7651916cd43dd8448eb211c80319c";
        HttpRequest request = HttpRequest.newBuilder(
                        URI.create("http://127.0.0.1:%d/%s/square/unary/1".formatted(8080 + offset, variant)))
                .header("traceparent", "00-%s-b7ad6b7169203331-01".formatted(traceId))
                .build();
        HttpResponse<String> answer = HttpClient.newHttpClient().send(request, HttpResponse.BodyHandlers.ofString());
        assertThat(answer.body()).isEqualTo("[{\"1\":1}]");
        await(traceId, 4);
    }
}

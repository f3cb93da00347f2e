package dev.chatterbox.cli;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.opentelemetry.proto.collector.trace.v1.ExportTraceServiceRequest;
import io.opentelemetry.proto.common.v1.KeyValue;
import io.opentelemetry.proto.resource.v1.Resource;
import io.opentelemetry.proto.trace.v1.ResourceSpans;
import io.opentelemetry.proto.trace.v1.ScopeSpans;
import io.opentelemetry.proto.trace.v1.Span;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.HexFormat;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.zip.GZIPInputStream;

/** Takes spans as a collector does: OTLP over HTTP with protobuf, at {@code /v1/traces}. */
final class Collector implements AutoCloseable {

    private final HttpServer server;
    private final Queue<Received> spans = new ConcurrentLinkedQueue<>();

    /** @param service the process that sent it */
    record Received(String service, Span span) {

        String traceId() {
            return HexFormat.of().formatHex(span.getTraceId().toByteArray());
        }
    }

    Collector() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 100);
        server.createContext("/v1/traces", this::take);
        server.start();
    }

    String endpoint() {
        return "http://127.0.0.1:" + server.getAddress().getPort();
    }

    List<Received> spans(String traceId) {
        return spans.stream().filter(span -> span.traceId().equals(traceId)).toList();
    }

    private void take(HttpExchange exchange) throws IOException {
        boolean zipped = "gzip".equals(exchange.getRequestHeaders().getFirst("Content-Encoding"));
        try (InputStream body = zipped ? new GZIPInputStream(exchange.getRequestBody()) : exchange.getRequestBody()) {
            for (ResourceSpans sent : ExportTraceServiceRequest.parseFrom(body).getResourceSpansList()) {
                for (ScopeSpans scope : sent.getScopeSpansList()) {
                    scope.getSpansList().forEach(span -> spans.add(new Received(service(sent.getResource()), span)));
                }
            }
        }
        exchange.getResponseHeaders().add("Content-Type", "application/x-protobuf");
        exchange.sendResponseHeaders(200, -1);
        exchange.close();
    }

    private static String service(Resource resource) {
        return resource.getAttributesList().stream()
                .filter(attribute -> attribute.getKey().equals("service.name"))
                .map(KeyValue::getValue)
                .map(value -> value.getStringValue())
                .findFirst()
                .orElse("");
    }

    @Override
    public void close() {
        server.stop(0);
    }
}

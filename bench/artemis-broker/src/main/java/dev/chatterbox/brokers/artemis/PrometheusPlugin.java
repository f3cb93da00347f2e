package dev.chatterbox.brokers.artemis;

import com.sun.net.httpserver.HttpServer;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import org.apache.activemq.artemis.core.server.metrics.ActiveMQMetricsPlugin;

/** Serves the broker's own metrics at {@code /metrics}, in Prometheus' text format. */
final class PrometheusPlugin implements ActiveMQMetricsPlugin {

    private static final long serialVersionUID = 1;

    private final transient PrometheusMeterRegistry meters = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);

    private PrometheusPlugin() {}

    static PrometheusPlugin serving(int port) throws IOException {
        PrometheusPlugin plugin = new PrometheusPlugin();
        HttpServer server = HttpServer.create(new InetSocketAddress(port), 0);
        server.createContext("/metrics", exchange -> {
            byte[] figures = plugin.meters.scrape().getBytes(StandardCharsets.UTF_8);
            exchange.getResponseHeaders().set("Content-Type", "text/plain; version=0.0.4; charset=utf-8");
            exchange.sendResponseHeaders(200, figures.length);
            try (OutputStream body = exchange.getResponseBody()) {
                body.write(figures);
            }
        });
        server.start();
        return plugin;
    }

    @Override
    public ActiveMQMetricsPlugin init(Map<String, String> options) {
        return this;
    }

    @Override
    public MeterRegistry getRegistry() {
        return meters;
    }
}

package dev.chatterbox.aggregator;

import dev.chatterbox.brokers.RunningBroker;
import dev.chatterbox.client.RealResponder;
import dev.chatterbox.client.SharedBrokers;
import dev.chatterbox.rows.ResponderProgram;
import dev.chatterbox.rows.Row;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.web.server.context.WebServerApplicationContext;
import org.springframework.context.ConfigurableApplicationContext;

/** Rows with their real brokers and two processes of each of their responders, and aggregators in this JVM. */
final class Topology implements AutoCloseable {

    private final Collection<Row> rows;
    private final Map<String, RunningBroker> brokers = new LinkedHashMap<>();
    private final Map<String, List<RealResponder>> responders = new LinkedHashMap<>();
    private final Map<String, String> environment = new LinkedHashMap<>();
    private final List<ConfigurableApplicationContext> aggregators = new ArrayList<>();

    Topology(Collection<Row> rows) {
        this.rows = rows;
        for (Row row : rows) {
            row.broker().ifPresent(broker -> {
                RunningBroker running = SharedBrokers.of(row);
                brokers.put(broker.name(), running);
                environment.putAll(running.environment());
            });
        }
        Map<Row, List<CompletableFuture<RealResponder>>> starting = new LinkedHashMap<>();
        for (Row row : rows) {
            // By name a variant comes after its transport, whose responder it shares.
            boolean started = starting.keySet().stream()
                    .anyMatch(other -> other.responder().equals(row.responder()));
            if (row.responder().isPresent() && !started) {
                starting.put(
                        row,
                        Stream.generate(() ->
                                        CompletableFuture.supplyAsync(() -> RealResponder.start(row, environment)))
                                .limit(2)
                                .toList());
            }
        }
        starting.forEach((row, futures) -> {
            List<RealResponder> started =
                    futures.stream().map(CompletableFuture::join).toList();
            responders.put(row.responder().orElseThrow().name(), started);
            // The variables that tell an aggregator a responder's address accept several, with commas between them.
            started.forEach(responder -> addresses(row, responder)
                    .forEach((variable, value) ->
                            environment.merge(variable, value, (one, other) -> one + "," + other)));
        });
    }

    /** The environment variables by which the aggregator finds this process, from all rows that share the responder. */
    private Map<String, String> addresses(Row row, RealResponder responder) {
        Map<String, String> variables = new TreeMap<>();
        rows.stream()
                .filter(other -> other.responder().equals(row.responder()))
                .forEach(other -> variables.putAll(ResponderProgram.aggregatorEnvironment(other, responder.ports())));
        return variables;
    }

    /** Starts one more aggregator, with these additional properties. */
    Http aggregator(String... properties) {
        List<String> arguments = new ArrayList<>(List.of("--server.port=0"));
        arguments.add("--chatterbox.transports="
                + String.join(",", rows.stream().map(Row::name).toList()));
        environment.forEach((name, value) -> arguments.add("--" + name + "=" + value));
        Stream.of(properties).map(property -> "--" + property).forEach(arguments::add);
        ConfigurableApplicationContext context =
                new SpringApplicationBuilder(AggregatorService.class).run(arguments.toArray(String[]::new));
        aggregators.add(context);
        return new Http(((WebServerApplicationContext) context).getWebServer().getPort());
    }

    Map<String, RunningBroker> brokers() {
        return brokers;
    }

    List<RealResponder> responders(Row row) {
        return responders.get(row.responder().orElseThrow().name());
    }

    @Override
    public void close() {
        aggregators.forEach(ConfigurableApplicationContext::close);
        responders.values().forEach(each -> each.forEach(RealResponder::close));
    }
}

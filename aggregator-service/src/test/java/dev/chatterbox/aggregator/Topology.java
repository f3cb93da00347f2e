package dev.chatterbox.aggregator;

import dev.chatterbox.brokers.RunningBroker;
import dev.chatterbox.client.RealResponder;
import dev.chatterbox.client.SharedBrokers;
import dev.chatterbox.variants.ResponderProgram;
import dev.chatterbox.variants.Variant;
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

/** Variants with their real brokers and two processes of each of their responders, and aggregators in this JVM. */
final class Topology implements AutoCloseable {

    private final Collection<Variant> variants;
    private final Map<String, RunningBroker> brokers = new LinkedHashMap<>();
    private final Map<String, List<RealResponder>> responders = new LinkedHashMap<>();
    private final Map<String, String> environment = new LinkedHashMap<>();
    private final List<ConfigurableApplicationContext> aggregators = new ArrayList<>();

    Topology(Collection<Variant> variants) {
        this.variants = variants;
        for (Variant variant : variants) {
            variant.broker().ifPresent(broker -> {
                RunningBroker running = SharedBrokers.of(variant);
                brokers.put(broker.name(), running);
                environment.putAll(running.environment());
            });
        }
        Map<Variant, List<CompletableFuture<RealResponder>>> starting = new LinkedHashMap<>();
        for (Variant variant : variants) {
            // By name a variant comes after its transport, whose responder it shares.
            boolean started = starting.keySet().stream()
                    .anyMatch(other -> other.responder().equals(variant.responder()));
            if (variant.responder().isPresent() && !started) {
                starting.put(
                        variant,
                        Stream.generate(() ->
                                        CompletableFuture.supplyAsync(() -> RealResponder.start(variant, environment)))
                                .limit(2)
                                .toList());
            }
        }
        starting.forEach((variant, futures) -> {
            List<RealResponder> started =
                    futures.stream().map(CompletableFuture::join).toList();
            responders.put(variant.responder().orElseThrow().name(), started);
            // The variables that tell an aggregator a responder's address accept several, with commas between them.
            started.forEach(responder -> addresses(variant, responder)
                    .forEach((variable, value) ->
                            environment.merge(variable, value, (first, second) -> first + "," + second)));
        });
    }

    /**
     * The environment variables by which the aggregator finds this process, from all variants that share the responder.
     */
    private Map<String, String> addresses(Variant variant, RealResponder responder) {
        Map<String, String> variables = new TreeMap<>();
        variants.stream()
                .filter(other -> other.responder().equals(variant.responder()))
                .forEach(other -> variables.putAll(ResponderProgram.aggregatorEnvironment(other, responder.ports())));
        return variables;
    }

    /** Starts one more aggregator, with these additional properties. */
    Http aggregator(String... properties) {
        List<String> arguments = new ArrayList<>(List.of("--server.port=0"));
        arguments.add("--chatterbox.transports="
                + String.join(",", variants.stream().map(Variant::name).toList()));
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

    List<RealResponder> responders(Variant variant) {
        return responders.get(variant.responder().orElseThrow().name());
    }

    @Override
    public void close() {
        aggregators.forEach(ConfigurableApplicationContext::close);
        responders.values().forEach(replicas -> replicas.forEach(RealResponder::close));
    }
}

package dev.chatterbox.aggregator;

import dev.chatterbox.brokers.Broker;
import dev.chatterbox.brokers.RunningBroker;
import java.io.IOException;
import java.io.Reader;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.web.server.context.WebServerApplicationContext;
import org.springframework.context.ConfigurableApplicationContext;

/**
 * Every transport that has a folder, with its real broker and two responders' processes; and aggregators in this JVM. What
 * the transports are is read from their transport.properties, as ./chatterbox does.
 */
public final class Topology implements AutoCloseable {

    private final Map<String, Properties> transports = new TreeMap<>();
    private final Map<String, RunningBroker> brokers = new LinkedHashMap<>();
    private final Map<String, List<RealResponder>> responders = new LinkedHashMap<>();
    private final Map<String, String> environment = new LinkedHashMap<>();
    private final List<ConfigurableApplicationContext> aggregators = new ArrayList<>();

    Topology(int respondersEach) {
        descriptions().forEach(description -> transports.put(description.getProperty("name"), description));
        transports.forEach((name, description) -> {
            if (description.containsKey("broker")) {
                RunningBroker broker = broker(description.getProperty("broker")).start();
                brokers.put(name, broker);
                environment.putAll(broker.environment());
            }
        });
        Map<String, List<CompletableFuture<RealResponder>>> starting = new LinkedHashMap<>();
        for (String transport : transports.keySet()) {
            starting.put(
                    transport,
                    Stream.generate(() ->
                                    CompletableFuture.supplyAsync(() -> RealResponder.start(transport, environment)))
                            .limit(respondersEach)
                            .toList());
        }
        starting.forEach((transport, futures) -> responders.put(
                transport, futures.stream().map(CompletableFuture::join).toList()));
        transports.forEach((name, description) -> description.stringPropertyNames().stream()
                .filter(key -> key.startsWith("aggregator.env."))
                .forEach(key -> environment.put(
                        key.substring("aggregator.env.".length()),
                        String.join(
                                ",",
                                responders.get(name).stream()
                                        .map(responder -> description
                                                .getProperty(key)
                                                .replace("${port}", Integer.toString(responder.port())))
                                        .toList()))));
    }

    private static List<Properties> descriptions() {
        try (Stream<Path> folders = Files.list(Path.of(".."))) {
            return folders.map(folder -> folder.resolve("transport.properties"))
                    .filter(Files::exists)
                    .map(file -> {
                        Properties description = new Properties();
                        try (Reader reader = Files.newBufferedReader(file)) {
                            description.load(reader);
                        } catch (IOException e) {
                            throw new UncheckedIOException(e);
                        }
                        return description;
                    })
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Broker broker(String className) {
        try {
            return (Broker) Class.forName(className).getConstructor().newInstance();
        } catch (ReflectiveOperationException e) {
            throw new AssertionError(e);
        }
    }

    /** The names of those that have a folder. */
    public static List<String> transports() {
        return descriptions().stream()
                .map(description -> description.getProperty("name"))
                .sorted()
                .toList();
    }

    /** Arguments of an aggregator for which none is enabled that needs a broker or a backend. */
    static String[] withoutRealTransports(String... arguments) {
        return Stream.concat(
                        Stream.of(arguments),
                        transports().stream().map(transport -> "--chatterbox." + transport + ".enabled=false"))
                .toArray(String[]::new);
    }

    /** Starts one more, with these properties besides. */
    Http aggregator(String... properties) {
        List<String> arguments = new ArrayList<>(List.of("--server.port=0"));
        environment.forEach((name, value) -> arguments.add("--" + name + "=" + value));
        Stream.of(properties).map(property -> "--" + property).forEach(arguments::add);
        ConfigurableApplicationContext context =
                new SpringApplicationBuilder(AggregatorService.class).run(arguments.toArray(String[]::new));
        aggregators.add(context);
        return new Http(((WebServerApplicationContext) context).getWebServer().getPort());
    }

    /** Those transports that have one. */
    Map<String, RunningBroker> brokers() {
        return brokers;
    }

    List<RealResponder> responders(String transport) {
        return responders.getOrDefault(transport, List.of());
    }

    @Override
    public void close() {
        aggregators.forEach(ConfigurableApplicationContext::close);
        responders.values().forEach(each -> each.forEach(RealResponder::close));
        brokers.values().forEach(RunningBroker::close);
    }
}

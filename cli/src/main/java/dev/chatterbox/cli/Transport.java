package dev.chatterbox.cli;

import dev.chatterbox.brokers.Broker;
import java.io.IOException;
import java.io.Reader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.TreeMap;

/**
 * A transport, as the {@code transport.properties} in its responder's folder describes it.
 *
 * @param name the one word that names it in URLs, labels and columns
 * @param kind direct, broker or log; empty if the file does not say
 * @param module the folder, artifact and process name of its responder
 * @param port the responder's HTTP port, before the offset
 * @param broker the class of the broker between requester and responder, if there is one
 * @param aggregatorEnvironment what the aggregator must be told to reach the responder; {@code ${port}} stands for its port
 *     after the offset
 * @param rawClient the main class of its bare client, in the responder's runnable jar, if it has one
 */
record Transport(
        String name,
        String kind,
        String module,
        int port,
        Optional<Class<?>> broker,
        Map<String, String> aggregatorEnvironment,
        Optional<String> rawClient) {

    static final String FILE = "transport.properties";

    private static final String AGGREGATOR_ENVIRONMENT = "aggregator.env.";

    static Transport read(Path module) {
        Path file = module.resolve(FILE);
        Properties properties = new Properties();
        try (Reader reader = Files.newBufferedReader(file)) {
            properties.load(reader);
        } catch (IOException | IllegalArgumentException e) {
            throw new CliException("%s cannot be read: %s".formatted(file, e.getMessage()));
        }
        Map<String, String> environment = new TreeMap<>();
        for (String key : properties.stringPropertyNames()) {
            if (key.startsWith(AGGREGATOR_ENVIRONMENT)) {
                environment.put(key.substring(AGGREGATOR_ENVIRONMENT.length()), properties.getProperty(key));
            }
        }
        return new Transport(
                value(file, properties, "name", "[a-z][a-z0-9-]*"),
                properties.getProperty("kind", "").strip(),
                module.getFileName().toString(),
                Integer.parseInt(value(file, properties, "port", "[1-9][0-9]{0,4}")),
                Optional.ofNullable(properties.getProperty("broker")).map(name -> brokerClass(file, name)),
                environment,
                Optional.ofNullable(properties.getProperty("raw-client")).map(String::strip));
    }

    private static String value(Path file, Properties properties, String key, String pattern) {
        String value = properties.getProperty(key, "").strip();
        if (!value.matches(pattern)) {
            throw new CliException("%s: %s is '%s', but must match %s.".formatted(file, key, value, pattern));
        }
        return value;
    }

    private static Class<?> brokerClass(Path file, String name) {
        try {
            return Class.forName(name.strip()).asSubclass(Broker.class);
        } catch (ClassNotFoundException | ClassCastException e) {
            throw new CliException(
                    "%s: broker %s is not a class that implements %s.".formatted(file, name, Broker.class.getName()));
        }
    }
}

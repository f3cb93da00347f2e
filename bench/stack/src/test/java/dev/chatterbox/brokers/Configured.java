package dev.chatterbox.brokers;

import dev.chatterbox.processes.Probe;
import java.io.IOException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;

/** Brokers with settings that only a test needs. */
public final class Configured {

    /** The server sends this before it asks a client for anything. */
    private static final Probe GREETING = new Probe("", "INFO {");

    private Configured() {}

    /** @param configuration further lines of the configuration, which may require authentication */
    public static Broker nats(String configuration) {
        return new NatsServer() {
            @Override
            protected Map<String, String> files(Node node) {
                Map<String, String> files = new HashMap<>(super.files(node));
                files.replaceAll((name, text) -> text + configuration);
                return files;
            }

            @Override
            protected boolean isReady(Node node) throws IOException {
                return GREETING.isAnswered(node.port("client"));
            }
        };
    }

    /** @param configuration properties of the broker, which are added to the usual ones or replace them */
    public static Broker kafka(Map<String, String> configuration) {
        return new KafkaBroker() {
            @Override
            protected Map<String, String> files(Node node) {
                Map<String, String> files = new HashMap<>(super.files(node));
                // Of a setting that is there twice, the last one holds.
                configuration.forEach(
                        (key, value) -> files.replaceAll((name, text) -> text + "%s=%s\n".formatted(key, value)));
                return files;
            }
        };
    }

    /** @param definitions users, virtual hosts and permissions, in the form in which RabbitMQ exports them */
    public static Broker rabbitMq(String definitions) {
        return new RabbitMq() {
            @Override
            protected Map<String, String> files(Node node) {
                Map<String, String> files = new HashMap<>(super.files(node));
                Path file = node.home().resolve("definitions.json");
                files.replaceAll((name, text) ->
                        name.equals("rabbitmq.conf") ? text + "load_definitions = %s%n".formatted(file) : text);
                files.put("definitions.json", definitions);
                return files;
            }
        };
    }
}

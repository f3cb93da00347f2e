package dev.chatterbox.variants;

import com.fasterxml.jackson.annotation.JsonProperty;
import dev.chatterbox.transport.CallMode;
import dev.chatterbox.transport.Kind;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.TreeMap;
import java.util.stream.Stream;

/** The keys of a variant's file. */
record VariantKeys(
        String transport,
        String about,
        String group,
        String kind,
        String outlives,
        String modes,
        @JsonProperty("bounds.per-request") String perRequest,
        @JsonProperty("bounds.in-flight") String inFlight,
        String client,
        @JsonProperty("client.") Map<String, String> clientSettings,
        @JsonProperty("settings.") Map<String, String> settings,
        String responder,
        @JsonProperty("responder.name") String responderName,
        @JsonProperty("responder.port.") Map<String, String> responderPorts,
        @JsonProperty("responder.env.") Map<String, String> responderEnvironment,
        @JsonProperty("address.") Map<String, String> address,
        String broker,
        @JsonProperty("broker.class") String brokerClass,
        @JsonProperty("broker.nodes") String brokerNodes,
        @JsonProperty("aggregator.env.") Map<String, String> aggregatorEnvironment,
        String queue,
        @JsonProperty("queue.") Map<String, String> queueSettings,
        @JsonProperty("raw-client") String rawClient) {

    private static final String PYTHON = "python";

    /** The largest bound on calls in flight, as for the aggregator's own. */
    private static final int LARGEST_BOUND = 100_000;

    /** The ports of more nodes would meet those of others. */
    private static final int MOST_NODES = 9;

    /** @throws VariantException a value is wrong; the message names no file yet */
    Variant variant(String name) {
        return new Variant(
                name,
                transport,
                PropertiesFile.require("about", about, ".+"),
                PropertiesFile.oneOf(
                        "group", group.isEmpty() ? Variants.ALL : group, Variant.Group.values(), Variant.Group::text),
                PropertiesFile.oneOf("kind", kind, Kind.values(), Kind::text),
                PropertiesFile.oneOf(
                        "outlives",
                        outlives.isEmpty() ? Outlives.NOTHING.text() : outlives,
                        Outlives.values(),
                        Outlives::text),
                Stream.of(modes.split(","))
                        .map(text -> PropertiesFile.oneOf("modes", text.strip(), CallMode.values(), CallMode::text))
                        .toList(),
                PropertiesFile.require("client", client, "[a-z][a-z0-9]*(\\.[a-z][a-z0-9]*)*\\.[A-Z]\\w*"),
                clientSettings,
                shownSettings(),
                new Variant.Bounds(bound("bounds.per-request", perRequest), bound("bounds.in-flight", inFlight)),
                PropertiesFile.unlessEmpty(responder).map(this::readResponder),
                PropertiesFile.unlessEmpty(broker).map(this::readBroker),
                address,
                aggregatorEnvironment,
                PropertiesFile.unlessEmpty(queue).map(this::readQueue),
                PropertiesFile.unlessEmpty(rawClient));
    }

    private static OptionalInt bound(String key, String value) {
        return value.isEmpty() ? OptionalInt.empty() : OptionalInt.of(PropertiesFile.number(key, value, LARGEST_BOUND));
    }

    private Map<String, String> shownSettings() {
        Map<String, String> shown = new TreeMap<>(settings);
        if (!brokerNodes.isEmpty()) {
            shown.put("nodes", brokerNodes);
        }
        return shown;
    }

    private Variant.Queue readQueue(String type) {
        Map<String, String> settings = new TreeMap<>(queueSettings);
        Optional<String> python = Optional.ofNullable(settings.remove(PYTHON));
        return new Variant.Queue(PropertiesFile.require("queue", type, "[\\w.]+"), settings, python);
    }

    private Variant.Broker readBroker(String name) {
        return new Variant.Broker(
                name,
                PropertiesFile.require("broker.class", brokerClass, "[\\w.]+"),
                brokerNodes.isEmpty() ? 1 : PropertiesFile.number("broker.nodes", brokerNodes, MOST_NODES));
    }

    private Variant.Responder readResponder(String folder) {
        return new Variant.Responder(
                PropertiesFile.unlessEmpty(responderName).orElse(folder.substring(folder.lastIndexOf('/') + 1)),
                folder,
                PropertiesFile.ports("responder.port.", responderPorts),
                responderEnvironment);
    }
}

package dev.chatterbox.rows;

import com.fasterxml.jackson.annotation.JsonProperty;
import dev.chatterbox.transport.Exchange;
import dev.chatterbox.transport.Kind;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.stream.Stream;

/** The keys of a row's file; one that ends in a dot has those that begin with it. */
record RowKeys(
        String transport,
        String about,
        String group,
        String kind,
        String exchanges,
        @JsonProperty("bounds.") Optional<BoundsKeys> bounds,
        String client,
        @JsonProperty("client.") Map<String, String> clientSettings,
        String responder,
        @JsonProperty("responder.") Optional<ResponderKeys> responderKeys,
        @JsonProperty("address.") Map<String, String> address,
        String broker,
        @JsonProperty("broker.") Optional<BrokerKeys> brokerKeys,
        @JsonProperty("aggregator.") Optional<AggregatorKeys> aggregator,
        @JsonProperty("raw-client") String rawClient) {

    /** The largest bound on calls in flight, as for the aggregator's own. */
    private static final int LARGEST_BOUND = 100_000;

    record BoundsKeys(
            @JsonProperty("per-request") String perRequest,
            @JsonProperty("in-flight") String inFlight) {}

    record ResponderKeys(
            String name,
            @JsonProperty("port.") Map<String, String> ports,
            @JsonProperty("env.") Map<String, String> environment) {}

    record BrokerKeys(@JsonProperty("class") String type) {}

    record AggregatorKeys(@JsonProperty("env.") Map<String, String> environment) {}

    /** @throws RowException a value is wrong; the message has no file yet */
    Row row(String name) {
        return new Row(
                name,
                transport,
                PropertiesFile.require("about", about, ".+"),
                readGroup(),
                readKind(),
                readExchanges(),
                PropertiesFile.require("client", client, "[a-z][a-z0-9]*(\\.[a-z][a-z0-9]*)*\\.[A-Z]\\w*"),
                clientSettings,
                new Row.Bounds(
                        bound("bounds.per-request", bounds.map(BoundsKeys::perRequest)),
                        bound("bounds.in-flight", bounds.map(BoundsKeys::inFlight))),
                PropertiesFile.unlessEmpty(responder).map(this::responder),
                PropertiesFile.unlessEmpty(broker).map(this::broker),
                address,
                aggregator.map(AggregatorKeys::environment).orElse(Map.of()),
                PropertiesFile.unlessEmpty(rawClient));
    }

    private Row.Group readGroup() {
        return switch (group) {
            case "default" -> Row.Group.DEFAULT;
            case "", Rows.ALL -> Row.Group.ALL;
            case "opt-in" -> Row.Group.OPT_IN;
            default ->
                throw new RowException("group is '%s', but must be default or opt-in, or absent.".formatted(group));
        };
    }

    private Kind readKind() {
        List<String> known = Stream.of(Kind.values()).map(Kind::text).toList();
        if (!known.contains(kind)) {
            throw new RowException("kind is '%s', but must be one of %s.".formatted(kind, String.join(", ", known)));
        }
        return Kind.values()[known.indexOf(kind)];
    }

    private List<Exchange> readExchanges() {
        return Stream.of(exchanges.split(","))
                .map(name -> PropertiesFile.require("exchanges", name.strip(), "[a-z]+"))
                .map(name -> Exchange.find(name)
                        .orElseThrow(() -> new RowException(
                                "there is no exchange %s; there are: %s".formatted(name, Exchange.names()))))
                .toList();
    }

    private static OptionalInt bound(String key, Optional<String> written) {
        String value = written.orElse("");
        if (value.isEmpty()) {
            return OptionalInt.empty();
        }
        int bound = value.matches("[1-9][0-9]{0,8}") ? Integer.parseInt(value) : 0;
        if (bound < 1 || bound > LARGEST_BOUND) {
            throw new RowException("%s is '%s', but must be 1 to %d.".formatted(key, value, LARGEST_BOUND));
        }
        return OptionalInt.of(bound);
    }

    private Row.Responder responder(String folder) {
        ResponderKeys keys = responderKeys.orElseGet(() -> new ResponderKeys("", Map.of(), Map.of()));
        String name = keys.name.isEmpty() ? folder.substring(folder.lastIndexOf('/') + 1) : keys.name;
        return new Row.Responder(name, folder, PropertiesFile.ports("responder.port.", keys.ports), keys.environment);
    }

    private Row.Broker broker(String name) {
        String type = brokerKeys.map(BrokerKeys::type).orElse("");
        return new Row.Broker(name, PropertiesFile.require("broker.class", type, "[\\w.]+"));
    }
}

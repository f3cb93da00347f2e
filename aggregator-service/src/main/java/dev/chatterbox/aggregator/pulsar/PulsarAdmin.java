package dev.chatterbox.aggregator.pulsar;

import java.time.Duration;
import reactor.core.publisher.Mono;
import reactor.netty.http.client.HttpClient;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** What the broker shows over HTTP and not by its protocol. */
final class PulsarAdmin {

    private static final Duration TIMEOUT = Duration.ofSeconds(2);

    private final HttpClient http;

    /** @param url of its web service, {@code http://host:port} */
    PulsarAdmin(String url) {
        http = HttpClient.create().baseUrl(url + "/admin/v2").responseTimeout(TIMEOUT);
    }

    /** How many consume from a subscription; 0 where there is none. An error where nobody answers within 2 s. */
    Mono<Integer> consumers(String topic, String subscription) {
        return get("/persistent/public/default/%s/stats".formatted(topic))
                .map(stats -> stats.path("subscriptions")
                        .path(subscription)
                        .path("consumers")
                        .size());
    }

    /** The settings that the broker runs with, by their names. An error where nobody answers within 2 s. */
    Mono<JsonNode> settings() {
        return get("/brokers/configuration/runtime");
    }

    /** What stands at a path below its root; an empty object where there is no such thing. */
    Mono<JsonNode> get(String path) {
        return http.get()
                .uri(path)
                .responseSingle((response, body) -> response.status().code() == 200 ? body.asString() : Mono.just("{}"))
                .map(JsonMapper.shared()::readTree)
                .timeout(TIMEOUT);
    }
}

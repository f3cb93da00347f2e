package dev.chatterbox.pulsar;

import dev.chatterbox.client.CallException;
import java.time.Duration;
import reactor.core.publisher.Mono;
import reactor.netty.http.client.HttpClient;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Asks the broker over HTTP for what its binary protocol does not show. */
final class PulsarAdmin {

    private static final Duration TIMEOUT = Duration.ofSeconds(2);

    private final HttpClient http;

    /** @param url of its web service, {@code http://host:port} */
    PulsarAdmin(String url) {
        // Of several brokers the one that has the topic answers.
        http = HttpClient.create().baseUrl(url + "/admin/v2").followRedirect(true);
    }

    /** How many consumers a subscription has; 0 if there is none. An error if nobody answers within 2 s. */
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

    /** The JSON at a path below the root; an empty object if there is none. */
    Mono<JsonNode> get(String path) {
        return answer(http.get().uri(path)).map(JsonMapper.shared()::readTree).timeout(TIMEOUT);
    }

    /** Deletes a topic with all that is in it, if it is there. */
    Mono<Void> delete(String topic) {
        return answer(http.delete().uri("/persistent/public/default/%s?force=true".formatted(topic)))
                .then();
    }

    /** Any other answer is an error. */
    private static Mono<String> answer(HttpClient.ResponseReceiver<?> request) {
        return request.responseSingle((response, body) -> switch (response.status()
                .code()) {
            case 200, 204 -> body.asString();
            case 404 -> Mono.just("{}");
            default -> Mono.error(CallException.unavailable("Pulsar's web service answers " + response.status()));
        });
    }
}

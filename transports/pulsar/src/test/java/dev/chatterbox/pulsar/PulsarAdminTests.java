package dev.chatterbox.pulsar;

import static org.assertj.core.api.Assertions.assertThat;

import dev.chatterbox.client.Outcome;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import reactor.core.publisher.Mono;
import reactor.netty.DisposableServer;
import reactor.netty.http.server.HttpServer;
import reactor.test.StepVerifier;

class PulsarAdminTests {

    private static final String STATS = "/admin/v2/persistent/public/default/requests/stats";

    private volatile int status = 200;

    private final DisposableServer server = HttpServer.create()
            .host("127.0.0.1")
            .route(routes -> routes.get(
                            STATS,
                            (request, response) -> response.status(status)
                                    .header("Location", "/owner")
                                    .sendString(Mono.just("an answer in words")))
                    .get(
                            "/owner",
                            (request, response) -> response.sendString(
                                    Mono.just("{\"subscriptions\":{\"all\":{\"consumers\":[{}]}}}"))))
            .bindNow();

    private final PulsarAdmin admin = new PulsarAdmin("http://127.0.0.1:" + server.port());

    /** Its first request loads classes, for longer than it waits for an answer where a machine is busy. */
    @BeforeEach
    void warmUp() {
        admin.consumers("requests", "all").onErrorComplete().block();
    }

    @AfterEach
    void stop() {
        server.disposeNow();
    }

    private StepVerifier.FirstStep<Integer> consumers() {
        return StepVerifier.create(admin.consumers("requests", "all"));
    }

    @ParameterizedTest
    @ValueSource(ints = {401, 500})
    void saysWhatTheBrokerAnswersInsteadOfAStatistic(int code) {
        status = code;
        consumers()
                .expectErrorSatisfies(error -> {
                    assertThat(Outcome.of(error)).isEqualTo(Outcome.UNAVAILABLE);
                    assertThat(error).hasMessageContaining("Pulsar's web service answers " + code);
                })
                .verify(Duration.ofSeconds(10));
    }

    @Test
    void asksTheBrokerThatHasTheTopic() {
        status = 307;
        consumers().expectNext(1).expectComplete().verify(Duration.ofSeconds(10));
    }

    @Test
    void findsNoConsumerOfATopicThatDoesNotExist() {
        status = 404;
        consumers().expectNext(0).expectComplete().verify(Duration.ofSeconds(10));
    }
}

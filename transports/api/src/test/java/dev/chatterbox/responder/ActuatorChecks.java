package dev.chatterbox.responder;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What holds for every responder that is a Spring Boot application, or has the same paths. */
public interface ActuatorChecks {

    ResponderProcess service();

    @ParameterizedTest
    @ValueSource(strings = {"health", "prometheus", "info"})
    default void opens(String endpoint) {
        assertThat(service().get("/actuator/" + endpoint).statusCode()).isEqualTo(200);
    }

    /** Observations would cost processor time for each call over REST, and for no other transport. */
    @Test
    default void observesNoHttpExchange() {
        assertThat(service().get("/actuator/prometheus").body()).doesNotContain("http_server_requests");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "/env", "/beans", "/metrics", "/heapdump", "/loggers", "/shutdown"})
    default void keepsClosedWhatNobodyNeeds(String endpoint) {
        assertThat(service().get("/actuator" + endpoint).statusCode()).isEqualTo(404);
    }

    @Test
    default void showsItsNameAndItsFaultsInItsInfo() {
        assertThat(service()
                        .putFaults("{\"delay\":\"700ms\",\"drop\":0.5,\"wrong\":1}")
                        .statusCode())
                .isEqualTo(200);

        assertThat(service().get("/actuator/info").body())
                .contains("\"responder\":\"" + service().name() + "\"")
                .contains("\"faults\":{\"delay\":\"PT0.7S\",\"drop\":0.5,\"wrong\":1.0}");
    }
}

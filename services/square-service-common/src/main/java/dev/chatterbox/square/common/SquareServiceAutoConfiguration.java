package dev.chatterbox.square.common;

import dev.chatterbox.responder.Faults;
import dev.chatterbox.responder.SquareResponder;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.Map;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.actuate.info.InfoContributor;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.web.reactive.function.server.RouterFunction;
import org.springframework.web.reactive.function.server.ServerResponse;

/** Gives every square service its {@link SquareResponder}, and the routes and meters of its faults. */
@AutoConfiguration
@EnableConfigurationProperties(Faults.class)
class SquareServiceAutoConfiguration {

    @Bean
    SquareResponder squareResponder(
            @Value("${chatterbox.responder}") String name, Faults faults, MeterRegistry meters) {
        return new SquareResponder(name, faults, meters);
    }

    @Bean
    RouterFunction<ServerResponse> faultRoutes(
            SquareResponder responder, @Value("${chatterbox.faults.token:}") String token) {
        return FaultRoutes.of(responder, token);
    }

    @Bean
    InfoContributor squareServiceInfo(SquareResponder responder) {
        return info -> info.withDetail(
                "chatterbox",
                Map.of(
                        "responder", responder.name(),
                        "faults", responder.faults().members()));
    }
}

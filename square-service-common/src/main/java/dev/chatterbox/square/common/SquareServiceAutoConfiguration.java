package dev.chatterbox.square.common;

import io.micrometer.core.instrument.MeterRegistry;
import java.util.Map;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.actuate.info.InfoContributor;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;

/** Gives every square service its {@link SquareResponder}; the transport's name comes from its application.yaml. */
@AutoConfiguration
@EnableConfigurationProperties(Faults.class)
class SquareServiceAutoConfiguration {

    @Bean
    SquareResponder squareResponder(
            @Value("${chatterbox.transport}") String transport, Faults faults, MeterRegistry meters) {
        return new SquareResponder(transport, faults, meters);
    }

    @Bean
    InfoContributor squareServiceInfo(@Value("${chatterbox.transport}") String transport, Faults faults) {
        Map<String, Object> shown =
                Map.of("delay", faults.delay().toString(), "drop", faults.drop(), "wrong", faults.wrong());
        return info -> info.withDetail("chatterbox", Map.of("transport", transport, "faults", shown));
    }
}

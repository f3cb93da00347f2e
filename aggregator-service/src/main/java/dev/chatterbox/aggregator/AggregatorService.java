package dev.chatterbox.aggregator;

import dev.chatterbox.aggregator.fanout.FanOutProperties;
import java.util.Map;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.actuate.info.InfoContributor;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.boot.context.properties.ConfigurationPropertiesScan;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.kafka.autoconfigure.KafkaAutoConfiguration;
import org.springframework.boot.kafka.autoconfigure.KafkaProperties;
import org.springframework.boot.kafka.autoconfigure.metrics.KafkaMetricsAutoConfiguration;
import org.springframework.context.annotation.Bean;
import reactor.netty.ReactorNetty;

// Only the properties of Spring Boot's Kafka support are used, because the clients here make their own Kafka objects.
@SpringBootApplication(exclude = {KafkaAutoConfiguration.class, KafkaMetricsAutoConfiguration.class})
@EnableConfigurationProperties(KafkaProperties.class)
@ConfigurationPropertiesScan
public class AggregatorService {

    /** Shows the bounds, and the share of traced requests, in {@code /actuator/info}: a comparison notes them. */
    @Bean
    InfoContributor settings(FanOutProperties properties, @Value("${chatterbox.traces:0}") double traces) {
        return info -> info.withDetail("chatterbox", Map.of("fanOut", properties, "traces", traces));
    }

    public static void main(String[] args) {
        // One event loop for each processor: Reactor Netty would start at least four, which then take turns.
        int processors = Runtime.getRuntime().availableProcessors();
        System.getProperties().putIfAbsent(ReactorNetty.IO_WORKER_COUNT, Integer.toString(processors));
        // New connections have an event loop of their own: each turn of the others accepts at most 16, and turns are
        // long under load, so that the last of a thousand simultaneous connections waited for seconds.
        System.getProperties().putIfAbsent(ReactorNetty.IO_SELECT_COUNT, "1");
        SpringApplication.run(AggregatorService.class, args);
    }
}

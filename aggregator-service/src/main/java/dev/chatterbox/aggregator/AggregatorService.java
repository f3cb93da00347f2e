package dev.chatterbox.aggregator;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.boot.context.properties.ConfigurationPropertiesScan;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.kafka.autoconfigure.KafkaAutoConfiguration;
import org.springframework.boot.kafka.autoconfigure.KafkaProperties;
import org.springframework.boot.kafka.autoconfigure.metrics.KafkaMetricsAutoConfiguration;
import reactor.netty.ReactorNetty;

// Of Boot's Kafka it takes the properties alone: its clients make what they need.
@SpringBootApplication(exclude = {KafkaAutoConfiguration.class, KafkaMetricsAutoConfiguration.class})
@EnableConfigurationProperties(KafkaProperties.class)
@ConfigurationPropertiesScan
public class AggregatorService {

    public static void main(String[] args) {
        if (System.getProperty(ReactorNetty.IO_WORKER_COUNT) == null) {
            // One event loop a processor: Reactor Netty would start four on fewer, and they would take turns.
            System.setProperty(
                    ReactorNetty.IO_WORKER_COUNT,
                    Integer.toString(Runtime.getRuntime().availableProcessors()));
        }
        if (System.getProperty(ReactorNetty.IO_SELECT_COUNT) == null) {
            // New connections have a thread of their own: an event loop takes 16 of them a turn, and under load its
            // turns are long, so that the last of a thousand who come at once waited for seconds.
            System.setProperty(ReactorNetty.IO_SELECT_COUNT, "1");
        }
        SpringApplication.run(AggregatorService.class, args);
    }
}

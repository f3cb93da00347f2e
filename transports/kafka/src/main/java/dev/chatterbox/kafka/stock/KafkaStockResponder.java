package dev.chatterbox.kafka.stock;

import dev.chatterbox.kafka.TopicAdmin;
import org.apache.kafka.clients.admin.NewTopic;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.kafka.config.TopicBuilder;
import org.springframework.kafka.core.KafkaAdmin;

/** The responder of kafka-stock, and its topics. */
@Configuration(proxyBeanMethods = false)
@Import({SquareListener.class, AssignmentHealth.class})
public class KafkaStockResponder {

    @Bean
    KafkaAdmin.NewTopics topics(
            @Value("${kafka.request-topic}") String requests, @Value("${kafka.reply-topic}") String replies) {
        return new KafkaAdmin.NewTopics(topic(requests), topic(replies));
    }

    private static NewTopic topic(String name) {
        return TopicBuilder.name(name)
                .partitions(TopicAdmin.PARTITIONS)
                // The documentation's example runs briefly; at 100,000 calls per second a log grows by 10 MB per
                // second.
                .configs(TopicAdmin.RETENTION)
                .build();
    }
}

package dev.chatterbox.kafka;

import dev.chatterbox.responder.KeptResponder;
import dev.chatterbox.responder.SquareResponder;
import java.util.List;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.kafka.config.ConcurrentKafkaListenerContainerFactory;
import org.springframework.kafka.core.KafkaAdmin;
import org.springframework.kafka.core.ProducerFactory;

/** The responder over Kafka. */
@Configuration(proxyBeanMethods = false)
public class KafkaResponder {

    @Bean
    KeptResponder kafkaResponder(
            @Value("${spring.kafka.bootstrap-servers}") String servers,
            @Value("${kafka.request-topic}") String topic,
            @Value("${kafka.commit-each}") boolean commitEach,
            KafkaAdmin admins,
            ProducerFactory<byte[], byte[]> producers,
            ConcurrentKafkaListenerContainerFactory<byte[], byte[]> listeners,
            SquareResponder responder) {
        Outages outages = new Outages(servers, "responder");
        return new KeptResponder(
                outages.broker(),
                servers,
                () -> TopicAdmin.open(outages, admins.getConfigurationProperties(), admin -> {
                    admin.make(List.of(topic, TopicAdmin.batchTopic(topic)));
                    KafkaRequests requests = new KafkaRequests(
                            admin,
                            topic,
                            KafkaRequests.producer(producers.getConfigurationProperties()),
                            listeners.createContainer(topic, TopicAdmin.batchTopic(topic)),
                            commitEach,
                            responder);
                    requests.start();
                    return requests;
                }));
    }
}

package dev.chatterbox.square.kafka;

import dev.chatterbox.kafka.Outages;
import dev.chatterbox.kafka.TopicAdmin;
import dev.chatterbox.square.common.KeptResponder;
import dev.chatterbox.square.common.SquareResponder;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.context.annotation.Bean;
import org.springframework.kafka.config.ConcurrentKafkaListenerContainerFactory;
import org.springframework.kafka.core.KafkaAdmin;
import org.springframework.kafka.core.ProducerFactory;

@SpringBootApplication
public class SquareServiceKafka {

    public static void main(String[] args) {
        SpringApplication.run(SquareServiceKafka.class, args);
    }

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
                () -> TopicAdmin.open(
                        outages,
                        admins.getConfigurationProperties(),
                        admin -> new KafkaRequests(
                                admin,
                                outages,
                                topic,
                                producers.getConfigurationProperties(),
                                listeners,
                                commitEach,
                                responder)));
    }
}

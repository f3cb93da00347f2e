package dev.chatterbox.kafka;

import dev.chatterbox.brokers.KafkaBroker;
import dev.chatterbox.responder.KeptResponder;
import dev.chatterbox.responder.ResponderShutdownKit;
import dev.chatterbox.responder.SquareResponder;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.kafka.autoconfigure.KafkaAutoConfiguration;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.kafka.config.ConcurrentKafkaListenerContainerFactory;
import org.springframework.kafka.core.KafkaAdmin;
import org.springframework.kafka.core.ProducerFactory;

@Tag("long")
class KafkaShutdownIT extends ResponderShutdownKit {

    /** The contexts hold Spring's Kafka clients with this service's options. */
    private final List<ConfigurableApplicationContext> contexts = new ArrayList<>();

    KafkaShutdownIT() {
        super(new KafkaBroker(), "KAFKA_BOOTSTRAP_SERVERS", "kafka|-C-");
    }

    @Override
    @SuppressWarnings("unchecked")
    protected KeptResponder responder(String servers, SquareResponder squares) {
        ConfigurableApplicationContext context = new SpringApplicationBuilder(KafkaAutoConfiguration.class)
                .web(WebApplicationType.NONE)
                .run("--spring.kafka.bootstrap-servers=" + servers);
        contexts.add(context);
        return new KafkaResponder()
                .kafkaResponder(
                        servers,
                        "test.squares",
                        false,
                        context.getBean(KafkaAdmin.class),
                        context.getBean(ProducerFactory.class),
                        context.getBean(ConcurrentKafkaListenerContainerFactory.class),
                        squares);
    }

    @AfterEach
    void closeContexts() {
        contexts.forEach(ConfigurableApplicationContext::close);
    }
}

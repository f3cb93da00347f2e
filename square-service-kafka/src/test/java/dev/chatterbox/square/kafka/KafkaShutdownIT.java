package dev.chatterbox.square.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.chatterbox.brokers.KafkaBroker;
import dev.chatterbox.brokers.RunningBroker;
import dev.chatterbox.square.common.KeptResponder;
import dev.chatterbox.square.common.SharedBroker;
import java.time.Duration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.health.contributor.Status;
import org.springframework.context.ConfigurableApplicationContext;

/** What only this JVM can see: that a responder that has stopped leaves no thread. */
@Tag("long")
class KafkaShutdownIT {

    private static final Duration PATIENCE = Duration.ofSeconds(20);
    private static final Duration AT_ONCE = Duration.ofSeconds(5);

    private final RunningBroker broker = SharedBroker.of(new KafkaBroker());

    @Test
    void leavesNoThreadBehindWithItsBrokerWhenThatHasDiedAndBeforeItIsThere() {
        leavesNoThreadBehind(connected());

        ConfigurableApplicationContext bereft = connected();
        broker.kill();
        leavesNoThreadBehind(bereft);

        leavesNoThreadBehind(start("127.0.0.1:" + broker.port()));
    }

    @Test
    void leavesNoThreadBehindWhereItsBrokersNameIsUnknown() {
        leavesNoThreadBehind(start("no-such-host.invalid:9092"));
    }

    private ConfigurableApplicationContext connected() {
        ConfigurableApplicationContext context = start("127.0.0.1:" + broker.port());
        KeptResponder responder = context.getBean(KeptResponder.class);
        await().atMost(PATIENCE).until(() -> responder.health().getStatus().equals(Status.UP));
        return context;
    }

    private static ConfigurableApplicationContext start(String servers) {
        return new SpringApplicationBuilder(SquareServiceKafka.class)
                .web(WebApplicationType.NONE)
                .run("--spring.kafka.bootstrap-servers=" + servers);
    }

    private static void leavesNoThreadBehind(ConfigurableApplicationContext context) {
        long start = System.nanoTime();
        context.close();
        assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(AT_ONCE);
        await().atMost(PATIENCE)
                .untilAsserted(() -> assertThat(Thread.getAllStackTraces().keySet())
                        .extracting(Thread::getName)
                        .noneMatch(name -> name.contains("kafka") || name.contains("-C-")));
    }
}

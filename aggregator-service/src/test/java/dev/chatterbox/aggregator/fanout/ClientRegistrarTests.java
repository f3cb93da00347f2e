package dev.chatterbox.aggregator.fanout;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import dev.chatterbox.client.SquareClient;
import dev.chatterbox.variants.VariantException;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.kafka.autoconfigure.KafkaProperties;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.web.reactive.function.client.WebClient;

class ClientRegistrarTests {

    private final ApplicationContextRunner runner = new ApplicationContextRunner()
            .withUserConfiguration(Transports.class)
            .withBean(
                    FanOutProperties.class,
                    () -> new FanOutProperties(
                            10_000, Duration.ofSeconds(5), 1_024, 2_048, 10_000, 100_000, 0.0625, 1_000))
            .withBean(WebClient.Builder.class, WebClient::builder)
            .withBean(KafkaProperties.class)
            .withBean(MeterRegistry.class, SimpleMeterRegistry::new);

    @Test
    void makesAClientForEachVariantThatIsChosenAndForNoOther() {
        runner.withPropertyValues("chatterbox.transports=memory,rest").run(context -> {
            assertThat(context.getBeansOfType(SquareClient.class)).containsOnlyKeys("memory", "rest");
            assertThat(context.getBean(Transports.class).all())
                    .extracting(Transport::name)
                    .containsExactly("memory", "rest");
        });
    }

    @Test
    void hasTheVariantWithoutATransportHiddenWhereNobodyChoseIt() {
        runner.withPropertyValues("chatterbox.transports=rest").run(context -> {
            Transports transports = context.getBean(Transports.class);
            assertThat(transports.all()).extracting(Transport::name).containsExactly("rest");
            assertThat(transports.find("memory")).isNotNull();
            assertThat(context.getBean(MeterRegistry.class)
                            .find("chatterbox.variant")
                            .tag("transport", "memory")
                            .gauge())
                    .isNull();
        });
    }

    @Test
    void toldNothingChoosesTheVariantsOfTheDefault() {
        runner.withPropertyValues(
                        "chatterbox.transports=",
                        "NATS_SERVER=nats://127.0.0.1:1",
                        "KAFKA_BOOTSTRAP_SERVERS=127.0.0.1:1")
                .run(context -> assertThat(context.getBean(Transports.class).all())
                        .extracting(Transport::name)
                        .containsExactly("kafka", "nats", "rest"));
    }

    @Test
    void aVariantOfAFurtherFolderHasBoundsOfItsOwn(@TempDir Path folder) throws IOException {
        Files.writeString(
                folder.resolve("nats-wide.properties"),
                "transport=nats\nabout=a sweep\nbounds.per-request=4096\nbounds.in-flight=8192\n");
        runner.withPropertyValues(
                        "chatterbox.transports=nats-wide,memory",
                        "chatterbox.variants=" + folder,
                        "NATS_SERVER=nats://127.0.0.1:1")
                .run(context -> {
                    Transports transports = context.getBean(Transports.class);
                    assertThat(requireNonNull(transports.find("nats-wide")).settings())
                            .containsEntry("bounds.per-request", 4096)
                            .containsEntry("bounds.in-flight", 8192)
                            // These come from the transport's variant, with their types, and stand beside the client's
                            // own.
                            .containsEntry("requester", "own, batched flushes")
                            .containsEntry("connections", 1)
                            .containsEntry("server", "nats://127.0.0.1:1");
                    assertThat(requireNonNull(transports.find("memory")).settings())
                            .containsEntry("bounds.per-request", 1024)
                            .containsEntry("bounds.in-flight", 2048);
                });
    }

    @Test
    void aClientGetsTheLimitsOfItsVariant(@TempDir Path folder) throws IOException {
        Files.writeString(
                folder.resolve("scripted-wide.properties"),
                "transport=scripted\nabout=a sweep\nclient=aggregator.fanout.BoundedClient\nbounds.in-flight=8192\n");
        runner.withPropertyValues("chatterbox.transports=scripted-wide", "chatterbox.variants=" + folder)
                .run(context -> assertThat(
                                context.getBean(BoundedClient.class).limits.maxInFlight())
                        .isEqualTo(8192));
    }

    @Test
    void failsAtANameThatNoVariantHas() {
        runner.withPropertyValues("chatterbox.transports=memory,pigeon")
                .run(context -> assertThat(context)
                        .getFailure()
                        .isInstanceOf(VariantException.class)
                        .hasMessageContainingAll("There is no transport 'pigeon'", "memory", "nats-stock"));
    }

    @Test
    void showsWhatAVariantIsJoinedBy() {
        runner.withPropertyValues("chatterbox.transports=memory,rest").run(context -> {
            MeterRegistry meters = context.getBean(MeterRegistry.class);
            assertThat(meters.get("chatterbox.variant")
                            .tag("transport", "rest")
                            .tag("responder", "square-service-rest")
                            .tag("broker", "")
                            .gauge()
                            .value())
                    .isEqualTo(1);
            assertThat(meters.get("chatterbox.variant")
                            .tag("transport", "memory")
                            .tag("responder", "")
                            .gauge()
                            .value())
                    .isEqualTo(1);
        });
    }
}

package dev.chatterbox.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.chatterbox.responder.Faults;
import dev.chatterbox.responder.SquareResponder;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.io.IOException;
import java.net.ServerSocket;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.producer.MockProducer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The broker here is a listener that never answers: look-ups of reply topics wait until they time out. */
class ReplySenderTests {

    private final SimpleMeterRegistry meters = new SimpleMeterRegistry();
    private final ServerSocket silent;
    private final AtomicInteger settled = new AtomicInteger();
    private Admin admin;
    private ReplySender sender;

    ReplySenderTests() throws IOException {
        silent = new ServerSocket(0);
        givingUpAfter(Duration.ofMinutes(1));
    }

    private void givingUpAfter(Duration timeout) {
        admin = Admin.create(Map.of(
                "bootstrap.servers",
                "127.0.0.1:" + silent.getLocalPort(),
                "request.timeout.ms",
                (int) timeout.toMillis(),
                "default.api.timeout.ms",
                (int) timeout.toMillis()));
        sender = new ReplySender(
                admin,
                new MockProducer<>(true, null, new ByteArraySerializer(), new ByteArraySerializer()),
                new SquareResponder("test", Faults.NONE, meters));
    }

    @AfterEach
    void close() throws IOException {
        admin.close(Duration.ZERO);
        silent.close();
    }

    @Test
    void parksSoManyRepliesForOneTopicAndNoMore() {
        send(10_001, "replies");
        assertThat(undeliverable()).isEqualTo(1);
    }

    @Test
    void parksSoManyRepliesInAllAndNoMore() {
        for (int topic = 0; topic < 100; topic++) {
            send(1_000, "replies." + topic);
        }
        assertThat(undeliverable()).isEqualTo(100_000 - 20_000);
    }

    @Test
    void countsThoseThatItForgotTheTopicOfToo() {
        for (int topic = 0; topic < 3_000; topic++) {
            send(10, "replies." + topic);
        }
        assertThat(undeliverable()).isEqualTo(30_000 - 20_000);
    }

    @Test
    void countsWhatWaitedForALookUpThatWasGivenUpAndParksAnew() {
        admin.close(Duration.ZERO);
        givingUpAfter(Duration.ofSeconds(2));
        send(10_000, "replies.1");
        send(10_000, "replies.2");

        await().atMost(Duration.ofMinutes(1))
                .untilAsserted(() -> assertThat(undeliverable()).isEqualTo(20_000));

        send(10_000, "replies.3");
        send(10_001, "replies.4");
        assertThat(undeliverable()).isEqualTo(20_001);
    }

    private void send(int replies, String topic) {
        for (int i = 0; i < replies; i++) {
            sender.send(new ReplySender.Outgoing(topic, null, new byte[8], List.of(), settled::incrementAndGet));
        }
    }

    private double undeliverable() {
        return meters.get("chatterbox.squares")
                .tag("outcome", "undeliverable")
                .counter()
                .count();
    }
}

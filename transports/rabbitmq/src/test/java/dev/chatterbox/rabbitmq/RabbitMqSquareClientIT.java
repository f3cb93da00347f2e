package dev.chatterbox.rabbitmq;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import dev.chatterbox.brokers.RabbitMq;
import dev.chatterbox.brokers.RunningBroker;
import dev.chatterbox.client.SquareClient;
import dev.chatterbox.client.TestRequests;
import dev.chatterbox.processes.Ports;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.Iterator;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Tag("kit")
class RabbitMqSquareClientIT extends RabbitMqContract {

    @Override
    protected String variant() {
        return "rabbitmq";
    }

    /** A server that is short of disk or memory says so to its publishers, and reads nothing more from them. */
    @Test
    void isUnavailableWhileTheServerTakesNoMessages(@TempDir Path directory) throws IOException {
        RabbitMq rabbitMq = new RabbitMq();
        Map<String, Integer> ports = new HashMap<>();
        Iterator<Integer> free = Ports.free(rabbitMq.ports(1).get(0).size()).iterator();
        rabbitMq.ports(1).get(0).keySet().forEach(role -> ports.put(role, free.next()));
        RunningBroker broker = open(RunningBroker.start(rabbitMq, ports, directory));
        SquareClient client = ready(clientOf(broker));
        await().atMost(RECOVERY).untilAsserted(() -> fails(client, "no responder takes requests"));

        demandFreeDisk(broker, directory, "64MB", "1000TB");
        await().atMost(RECOVERY).untilAsserted(() -> fails(client, "takes no messages"));
        assertThat(client.check().toFuture())
                .failsWithin(PATIENCE)
                .withThrowableThat()
                .withMessageContaining("takes no messages");

        demandFreeDisk(broker, directory, "1000TB", "64MB");
        await().atMost(RECOVERY).untilAsserted(() -> fails(client, "no responder takes requests"));
    }

    /** A queue without room refuses messages, and the server says so in its confirm. */
    @Test
    void isUnavailableAtOnceWhenTheServerDoesNotStoreARequest() throws Exception {
        String full = "square.full";
        try (Connection connection = connect(url());
                Channel channel = connection.createChannel()) {
            channel.queueDeclare(full, true, false, false, Map.of("x-max-length", 0, "x-overflow", "reject-publish"));
            SquareClient client = ready(client(url(), Map.of("address.queue", full, "client.durable", "true")));

            assertThat(call(client, LONG))
                    .failsWithin(PATIENCE)
                    .withThrowableThat()
                    .withMessageContaining("did not store the request");
            channel.queueDelete(full);
        }
    }

    @Test
    void saysInTheServersWordsWhyItIsRefused() {
        SquareClient client = client(url().replace("amqp://", "amqp://nobody:wrong@"), Map.of());
        client.start();
        try {
            await().atMost(RECOVERY).untilAsserted(() -> fails(client, "ACCESS_REFUSED"));
        } finally {
            client.stop();
        }
    }

    private static void fails(SquareClient client, String reason) {
        assertThat(client.square(TestRequests.of(3, Duration.ofMillis(300))).toFuture())
                .failsWithin(PATIENCE)
                .withThrowableThat()
                .withMessageContaining(reason);
    }

    private static void demandFreeDisk(RunningBroker broker, Path directory, String before, String after)
            throws IOException {
        broker.kill();
        Path settings = directory.resolve("rabbitmq").resolve("rabbitmq.conf");
        String text = Files.readString(settings);
        assertThat(text).contains(before);
        Files.writeString(settings, text.replace(before, after));
        broker.restart();
    }
}

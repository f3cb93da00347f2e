package dev.chatterbox.square.nats;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.chatterbox.brokers.NatsServer;
import dev.chatterbox.brokers.RunningBroker;
import dev.chatterbox.square.common.ActuatorChecks;
import dev.chatterbox.square.common.BrokerResponderKit;
import dev.chatterbox.square.common.PayloadChecks;
import dev.chatterbox.square.common.Requester;
import dev.chatterbox.square.common.ResponderProcess;
import dev.chatterbox.square.common.SharedBroker;
import dev.chatterbox.square.common.Wire;
import io.nats.client.Message;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What holds for every responder over core NATS, in whatever language. */
public abstract class NatsResponderKit extends BrokerResponderKit implements ActuatorChecks, PayloadChecks {

    private static final String SUBJECT = "nats.square.service";
    private static final RunningBroker server = SharedBroker.of(new NatsServer());

    protected NatsResponderKit(Path folder, String name, Map<String, String> environment) {
        super(folder, name, Map.of("subject", SUBJECT, "queue-group", "square-service"), environment, server);
    }

    @Override
    protected Requester requester(ResponderProcess service) {
        return BareNatsClient.connect(server.port(), service.address("subject"));
    }

    @Override
    public ResponderProcess service() {
        return service;
    }

    private BareNatsClient client() {
        return (BareNatsClient) requester;
    }

    static List<byte[]> bodiesThatAreNoRequest() {
        return List.of(
                new byte[] {(byte) 0xFF, 1, 2},
                "5".getBytes(StandardCharsets.US_ASCII),
                new byte[0],
                // A field that nobody knows, and no number.
                new byte[] {0x18, 5});
    }

    @ParameterizedTest
    @MethodSource("bodiesThatAreNoRequest")
    void refusesWhatIsNoRequestAndGoesOn(byte[] body) {
        assertThat(client().send(body)).succeedsWithin(PATIENCE).satisfies(reply -> {
            assertThat(reply.getHeaders().getFirst("Nats-Service-Error-Code")).isEqualTo("400");
            assertThat(reply.getHeaders().getFirst("Nats-Service-Error")).isNotBlank();
            assertThat(reply.getData()).isEmpty();
        });
        assertThat(ask(3)).succeedsWithin(PATIENCE).isEqualTo(Requester.Answer.square(9));
    }

    @Test
    void countsARequestThatNobodyWaitsForAndGoesOn() {
        int invalid = service.squares("invalid");

        client().connection().publish(SUBJECT, Wire.input(3));
        client().connection().publish(SUBJECT, new byte[] {1});

        await().atMost(PATIENCE).until(() -> service.squares("invalid") == invalid + 2);
        assertThat(ask(3)).succeedsWithin(PATIENCE).isEqualTo(Requester.Answer.square(9));
    }

    @Test
    void goesOnAfterAReplySubjectThatCannotBe() {
        client().connection().publish(SUBJECT, "a..b", Wire.input(3));
        client().connection().publish(SUBJECT, ".", new byte[] {1});

        assertThat(ask(3)).succeedsWithin(PATIENCE).isEqualTo(Requester.Answer.square(9));
    }

    @ParameterizedTest
    @ValueSource(strings = {"PING", "INFO", "STATS"})
    void describesItselfByTheServicesConvention(String verb) {
        assertThat(ask(3)).succeedsWithin(PATIENCE);

        CompletableFuture<Message> reply = client().connection().request("$SRV." + verb + ".square-service", null);

        assertThat(reply).succeedsWithin(PATIENCE);
        assertThat(new String(reply.join().getData(), StandardCharsets.UTF_8).replace("\": \"", "\":\""))
                .contains("\"type\":\"io.nats.micro.v1." + verb.toLowerCase() + "_response\"")
                .contains("\"name\":\"square-service\"")
                .contains(verb.equals("PING") ? "\"id\"" : "\"subject\":\"nats.square.service\"");
    }
}

package dev.chatterbox.nats;

import static org.assertj.core.api.Assertions.assertThat;

import dev.chatterbox.brokers.NatsServer;
import dev.chatterbox.brokers.RunningBroker;
import dev.chatterbox.responder.ActuatorChecks;
import dev.chatterbox.responder.BrokerResponderKit;
import dev.chatterbox.responder.MessageChecks;
import dev.chatterbox.responder.PayloadChecks;
import dev.chatterbox.responder.Requester;
import dev.chatterbox.responder.ResponderProcess;
import dev.chatterbox.responder.SharedBroker;
import dev.chatterbox.responder.Wire;
import io.nats.client.Message;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What holds for every responder over core NATS, in whatever language. */
public abstract class NatsResponderKit extends BrokerResponderKit
        implements ActuatorChecks, MessageChecks, PayloadChecks {

    private static final String SUBJECT = "nats.square.service";
    private static final RunningBroker server = SharedBroker.of(new NatsServer());

    protected NatsResponderKit(Path folder, String name, Map<String, String> environment) {
        super(folder, name, Map.of("subject", SUBJECT, "queue-group", "square-service"), environment, server);
    }

    @Override
    protected Requester requester(ResponderProcess service) {
        return BareNatsClient.connect(server.port(), service.address("subject"));
    }

    private BareNatsClient client() {
        return (BareNatsClient) requester;
    }

    @Override
    public String ownAddress() {
        return SUBJECT;
    }

    @Override
    public void send(@Nullable String replyTo, byte[] body) {
        client().connection().publish(SUBJECT, replyTo, body);
    }

    @Test
    void goesOnAfterAReplySubjectThatCannotBe() {
        send("a..b", Wire.input(3));
        send(".", new byte[] {1});

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

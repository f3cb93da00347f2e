package dev.chatterbox.artemis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.chatterbox.brokers.RunningBroker;
import dev.chatterbox.client.Outcome;
import dev.chatterbox.client.ScriptedPeer;
import dev.chatterbox.client.SquareClient;
import dev.chatterbox.client.TestRequests;
import java.time.Duration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("kit")
class ArtemisSquareClientIT extends ArtemisContract {

    @Override
    protected String variant() {
        return "artemis";
    }

    /** The broker does not tell a sender that nobody takes its requests. */
    @Test
    void isShownAsDownWhereNobodyTakesRequests() {
        peer().close();
        SquareClient client = ready(client());

        await().atMost(PATIENCE)
                .untilAsserted(() -> assertThat(client.check().toFuture())
                        .failsWithin(PATIENCE)
                        .withThrowableThat()
                        .satisfies(error -> {
                            assertThat(Outcome.of(error.getCause())).isEqualTo(Outcome.UNAVAILABLE);
                            assertThat(error.getCause()).hasMessageContaining("no responder takes requests");
                        }));
        ScriptedPeer peer = open(peer());
        assertThat(client.check().toFuture()).succeedsWithin(PATIENCE);
        assertThat(peer.waiting()).isZero();
    }

    @Test
    void aRequestThatNobodyTookExpiresAtItsDeadline() {
        peer().close();
        SquareClient client = ready(client());
        client.square(TestRequests.of(3, Duration.ofMillis(100)))
                .onErrorComplete()
                .block(PATIENCE);

        ScriptedPeer peer = open(new Peer(url(), true));
        client.square(TestRequests.of(4, PATIENCE)).subscribe(reply -> {}, error -> {});

        assertThat(peer.next().number()).isEqualTo(4);
    }

    /** A durable request is on file when the broker's process dies, and another one is not. */
    @Test
    void aDurableRequestOutlivesTheBrokerAndAnotherDoesNot() {
        RunningBroker broker = open(brokerOfItsOwn());
        SquareClient client = ready(clientOf(broker));
        client.square(TestRequests.of(3, LONG)).subscribe(reply -> {}, error -> {});
        await().atMost(PATIENCE).until(() -> messages(broker) == 1);

        broker.kill();
        broker.restart();

        assertThat(messages(broker)).isEqualTo(variant().equals("artemis-durable") ? 1 : 0);
    }
}

package dev.chatterbox.pulsar;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.ArgumentMatchers.any;
import static org.mockito.Mockito.RETURNS_SELF;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.when;

import dev.chatterbox.proto.Output;
import dev.chatterbox.responder.Faults;
import dev.chatterbox.responder.SquareResponder;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.apache.pulsar.client.api.Message;
import org.apache.pulsar.client.api.MessageId;
import org.apache.pulsar.client.api.Producer;
import org.apache.pulsar.client.api.ProducerBuilder;
import org.apache.pulsar.client.api.PulsarClient;
import org.apache.pulsar.client.api.TypedMessageBuilder;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

@SuppressWarnings("unchecked")
class ReplyProducersTests {

    private final SimpleMeterRegistry meters = new SimpleMeterRegistry();
    private final SquareResponder responder = new SquareResponder("test", Faults.NONE, meters);
    private final CompletableFuture<MessageId> stored = new CompletableFuture<>();

    /** Of each reply that is settled, whether it is stored. */
    private final List<Boolean> settled = new ArrayList<>();

    private final PulsarClient client = mock();
    private final ReplyProducers replies = new ReplyProducers(client, Duration.ZERO, responder);

    @BeforeEach
    void brokerThatAnswersWhenTheTestSaysSo() {
        ProducerBuilder<byte[]> builder = mock(ProducerBuilder.class, RETURNS_SELF);
        TypedMessageBuilder<byte[]> message = mock(TypedMessageBuilder.class, RETURNS_SELF);
        Producer<byte[]> producer = mock();
        when(client.newProducer()).thenReturn(builder);
        when(builder.createAsync()).thenReturn(CompletableFuture.completedFuture(producer));
        when(producer.newMessage()).thenReturn(message);
        when(message.sendAsync()).thenReturn(stored);
    }

    @AfterEach
    void close() {
        responder.close();
    }

    private void reply(String topic) {
        Message<byte[]> request = mock();
        when(request.getProperty(any())).thenReturn(null);
        replies.to(topic, request, settled::add).answer(Output.getDefaultInstance());
    }

    @Test
    void aReplyIsSettledWhenItIsStoredAndNotBefore() {
        reply("square.replies");
        assertThat(settled).isEmpty();

        stored.complete(MessageId.earliest);
        assertThat(settled).containsExactly(true);
        assertThat(undeliverable()).isZero();
    }

    @Test
    void aReplyThatCannotBeStoredIsSettledOnceThatIsKnown() {
        reply("square.replies");
        stored.completeExceptionally(new IOException("the disk is full"));
        assertThat(settled).containsExactly(false);
        assertThat(undeliverable()).isEqualTo(1);

        reply("no legal name");
        assertThat(settled).containsExactly(false, false);
        assertThat(undeliverable()).isEqualTo(2);
    }

    private double undeliverable() {
        return meters.get("chatterbox.squares")
                .tag("outcome", "undeliverable")
                .counter()
                .count();
    }
}

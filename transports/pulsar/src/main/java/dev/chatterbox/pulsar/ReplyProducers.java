package dev.chatterbox.pulsar;

import dev.chatterbox.responder.MessageReply;
import dev.chatterbox.responder.SquareResponder;
import dev.chatterbox.traces.Traces;
import dev.chatterbox.traces.WorkSpan;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.apache.pulsar.client.api.Message;
import org.apache.pulsar.client.api.Producer;
import org.apache.pulsar.client.api.PulsarClient;
import org.apache.pulsar.client.api.TypedMessageBuilder;
import org.jspecify.annotations.Nullable;

/**
 * Sends replies without waiting for the broker. Each topic has a producer, which is made for the first reply to it.
 * Safe for concurrent use.
 */
final class ReplyProducers {

    /** Each requester has one topic; this limits how many producers a stranger can cause with made-up names. */
    private static final int MOST_TOPICS = 100;

    /** Other names are refused at once, because a producer creates its topic. */
    private static final Pattern LEGAL_NAME = Pattern.compile("[a-zA-Z0-9:/=._-]{1,250}");

    private final PulsarClient client;
    private final Duration batching;
    private final SquareResponder responder;
    private final Map<String, ReplyTopic> topics = new ConcurrentHashMap<>();
    private List<ReplyTopic> forgotten = List.of();

    /** @param batching how long a reply may wait for others to share its batch; zero if it does not wait */
    ReplyProducers(PulsarClient client, Duration batching, SquareResponder responder) {
        this.client = client;
        this.batching = batching;
        this.responder = responder;
    }

    /**
     * @param request its correlation id is repeated in the reply, if it has one
     * @param settled gets once whether the reply is stored; false if it cannot be
     */
    MessageReply to(String topic, Message<byte[]> request, Consumer<Boolean> settled) {
        return new PulsarReply(
                this,
                topic,
                request.getProperty(Pulsar.CORRELATION_ID),
                settled,
                responder.trace(request.getProperty(Traces.PARENT)));
    }

    private record PulsarReply(
            ReplyProducers producers,
            String topic,
            @Nullable String correlationId,
            Consumer<Boolean> settled,
            @Nullable WorkSpan span)
            implements MessageReply {

        @Override
        public void send(Map<String, String> properties, byte[] body) {
            producers.send(topic, settled, message -> {
                message.value(body).properties(properties);
                return correlationId == null ? message : message.property(Pulsar.CORRELATION_ID, correlationId);
            });
        }
    }

    private void send(String name, Consumer<Boolean> settled, UnaryOperator<TypedMessageBuilder<byte[]>> content) {
        if (!topics.containsKey(name)
                && (topics.size() >= MOST_TOPICS || !LEGAL_NAME.matcher(name).matches())) {
            responder.undeliverable("the reply topic's name is none that a topic can have, or there are too many");
            settled.accept(false);
            return;
        }
        topics.computeIfAbsent(
                        name,
                        absent -> new ReplyTopic(
                                absent,
                                Pulsar.producer(client, absent, batching).createAsync()))
                .send(settled, content);
    }

    /**
     * Forgets the topics without a reply since the previous call, and closes those that the previous call forgot. It
     * does not close them at once, because another thread may just be sending to one. Only one thread may call this.
     */
    void closeUnused() {
        forgotten.forEach(ReplyTopic::close);
        forgotten = topics.values().stream().filter(ReplyTopic::isUnused).toList();
        topics.values().removeAll(forgotten);
    }

    /** Completes when all that was sent is stored. */
    Stream<CompletableFuture<Void>> close() {
        return topics.values().stream().map(ReplyTopic::close);
    }

    private final class ReplyTopic {

        private final String name;
        private final CompletableFuture<Producer<byte[]>> producer;
        private volatile boolean used;

        ReplyTopic(String name, CompletableFuture<Producer<byte[]>> producer) {
            this.name = name;
            this.producer = producer;
        }

        /** Content that is sent before the producer is ready waits for it. */
        void send(Consumer<Boolean> settled, UnaryOperator<TypedMessageBuilder<byte[]>> content) {
            used = true;
            producer.thenCompose(opened -> content.apply(opened.newMessage()).sendAsync())
                    .whenComplete((sent, error) -> {
                        if (error != null) {
                            // The library gives up a producer after some errors: the next reply gets a new one.
                            if (isGone() && topics.remove(name, this)) {
                                close();
                            }
                            responder.undeliverable(String.valueOf(error.getMessage()));
                        }
                        settled.accept(error == null);
                    });
        }

        /** A producer that is connected has other replies, which its end would lose. */
        private boolean isGone() {
            return producer.isCompletedExceptionally() || !producer.join().isConnected();
        }

        /** Whether nothing was sent since the last call of this. */
        boolean isUnused() {
            boolean unused = !used;
            used = false;
            return unused;
        }

        CompletableFuture<Void> close() {
            return producer.thenCompose(Producer::closeAsync);
        }
    }
}

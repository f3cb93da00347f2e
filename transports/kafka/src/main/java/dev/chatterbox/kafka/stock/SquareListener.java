package dev.chatterbox.kafka.stock;

import dev.chatterbox.proto.Output;
import dev.chatterbox.responder.Reply;
import dev.chatterbox.responder.SquareResponder;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.springframework.kafka.annotation.KafkaListener;
import org.springframework.messaging.handler.annotation.SendTo;
import org.springframework.stereotype.Component;

/** Answers requests; spring-kafka sends each reply to the topic, and with the correlation id, that the headers name. */
@Component
record SquareListener(SquareResponder responder) {

    /**
     * Runs on the container's poll thread, a request at a time.
     *
     * @return null where no reply is to be sent
     * @throws IllegalArgumentException the request is at fault; spring-kafka delivers it nine times more, and then
     *     goes on
     */
    @KafkaListener(topics = "${kafka.request-topic}")
    @SendTo
    byte @Nullable [] square(byte[] request) {
        BytesReply reply = new BytesReply();
        return responder.answer(request, reply) ? reply.bytes.join() : null;
    }

    private static final class BytesReply implements Reply<Output> {

        private final CompletableFuture<byte[]> bytes = new CompletableFuture<>();

        @Override
        public void answer(Output answer) {
            bytes.complete(answer.toByteArray());
        }

        @Override
        public void error(String reason) {
            throw new IllegalArgumentException(reason);
        }
    }
}

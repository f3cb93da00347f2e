package dev.chatterbox.pulsar;

import dev.chatterbox.brokers.RunningBroker;
import dev.chatterbox.client.BrokerClientContract;
import dev.chatterbox.client.ScriptedPeer;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.pulsar.client.api.Message;
import org.apache.pulsar.client.api.MessageId;
import org.apache.pulsar.client.api.Producer;
import org.apache.pulsar.client.api.PulsarClient;
import org.apache.pulsar.client.api.PulsarClientException;
import org.apache.pulsar.client.api.TypedMessageBuilder;

/** What the clients of the Pulsar responder have in common. */
abstract class PulsarContract extends BrokerClientContract {

    /** The topic of the peer. */
    static final String TOPIC = "square.requests.kit";

    private final Map<String, String> adminUrls = new HashMap<>();

    PulsarContract() {
        super(new Wiring(
                "PULSAR_URL",
                "client.url",
                "pulsar://localhost:%d",
                Map.of("address.topic", TOPIC, "address.subscription", "square-service-kit")));
    }

    @Override
    protected String url(RunningBroker broker) {
        String url = super.url(broker);
        adminUrls.put(url, broker.environment().get("PULSAR_ADMIN_URL"));
        return url;
    }

    @Override
    protected Map<String, String> furtherSettings(String url) {
        return Map.of("client.admin-url", adminUrls.getOrDefault(url, url.replace("pulsar:", "http:")));
    }

    @Override
    protected ScriptedPeer peer(String url) {
        return new Peer(url);
    }

    /** Reads both topics from the latest message on, and answers by a producer for each topic of replies. */
    private static final class Peer extends ScriptedPeer {

        private final PulsarClient client;
        private final Map<String, Producer<byte[]>> replies = new ConcurrentHashMap<>();
        private volatile Message<byte[]> last;

        Peer(String url) {
            try {
                client = PulsarClient.builder().serviceUrl(url).build();
                for (String topic : List.of(TOPIC, TOPIC + ".batch")) {
                    client.newReader()
                            .topic(topic)
                            .startMessageId(MessageId.latest)
                            .readerListener((reader, request) -> arrived(topic.endsWith(".batch"), request))
                            .create();
                }
            } catch (PulsarClientException e) {
                throw new AssertionError(e);
            }
        }

        private void arrived(boolean batch, Message<byte[]> request) {
            last = request;
            arrived(new Request(batch, request));
        }

        private TypedMessageBuilder<byte[]> reply(Message<byte[]> request) {
            return replies.computeIfAbsent(request.getProperty("reply_topic"), this::producer)
                    .newMessage()
                    .property("correlation_id", request.getProperty("correlation_id"));
        }

        private Producer<byte[]> producer(String topic) {
            try {
                return client.newProducer().topic(topic).enableBatching(false).create();
            } catch (PulsarClientException e) {
                throw new AssertionError(e);
            }
        }

        private final class Request extends MessageReceived {

            private final Message<byte[]> request;

            Request(boolean batch, Message<byte[]> request) {
                super(batch, request.getData());
                this.request = request;
            }

            @Override
            public void bytes(byte[] body) {
                reply(request).value(body).sendAsync();
            }

            @Override
            public void error(String reason) {
                reply(request)
                        .value(new byte[0])
                        .property("chatterbox_error", reason)
                        .property("chatterbox_error_code", "500")
                        .sendAsync();
            }
        }

        @Override
        public void replyForNobody() {
            reply(last).property("correlation_id", "zzzzzz").value(new byte[0]).sendAsync();
        }

        /** Without waiting for the library's threads, which take two seconds to end. */
        @Override
        public void close() {
            client.closeAsync();
        }
    }
}

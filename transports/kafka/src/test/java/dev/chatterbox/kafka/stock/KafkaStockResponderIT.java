package dev.chatterbox.kafka.stock;

import dev.chatterbox.brokers.KafkaBroker;
import dev.chatterbox.brokers.RunningBroker;
import dev.chatterbox.kafka.BareKafkaClient;
import dev.chatterbox.responder.ActuatorChecks;
import dev.chatterbox.responder.BrokerResponderKit;
import dev.chatterbox.responder.Requester;
import dev.chatterbox.responder.ResponderDeviation;
import dev.chatterbox.responder.ResponderProcess;
import dev.chatterbox.responder.SharedBroker;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Tag;

@Tag("long")
class KafkaStockResponderIT extends BrokerResponderKit implements ActuatorChecks {

    private static final RunningBroker broker = SharedBroker.of(new KafkaBroker());
    private static final String SERVERS = "127.0.0.1:" + broker.port();

    KafkaStockResponderIT() {
        super(
                Path.of(""),
                "square-service-kafka-stock",
                Map.of("request-topic", "stock.requests", "reply-topic", "stock.replies", "group", "stock"),
                broker);
    }

    @Override
    protected Set<ResponderDeviation> deviations() {
        return EnumSet.complementOf(EnumSet.of(ResponderDeviation.IGNORES_WORK));
    }

    /** The client reads partition 1 of the reply topic, which this responder has made. */
    @Override
    protected Requester requester(ResponderProcess service) {
        return new BareKafkaClient(SERVERS, service.address("request-topic"), service.address("reply-topic"), 1);
    }
}

package dev.chatterbox.aggregator;

import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Tag;

/** The exchange {@code queue} over each kind of row that has it. */
class QueueIT {

    @Nested
    class Nats extends QueueKit {
        Nats() {
            super("nats", false, false);
        }
    }

    @Nested
    class Kafka extends QueueKit {
        Kafka() {
            super("kafka", true, true);
        }
    }

    @Tag("long")
    @Nested
    class JetStream extends QueueKit {
        JetStream() {
            super("jetstream", true, true);
        }
    }

    @Tag("long")
    @Nested
    class JetStreamMemory extends QueueKit {
        JetStreamMemory() {
            super("jetstream-memory", true, false);
        }
    }

    @Tag("long")
    @Nested
    class RabbitMq extends QueueKit {
        RabbitMq() {
            super("rabbitmq", true, false);
        }
    }

    @Tag("long")
    @Nested
    class RabbitMqSerial extends QueueKit {
        RabbitMqSerial() {
            super("rabbitmq-serial", true, true);
        }
    }

    @Tag("long")
    @Nested
    class Artemis extends QueueKit {
        Artemis() {
            super("artemis", true, false);
        }
    }

    @Tag("long")
    @Nested
    class ArtemisDurable extends QueueKit {
        ArtemisDurable() {
            super("artemis-durable", true, true);
        }
    }

    @Tag("long")
    @Nested
    class NatsPython extends QueueKit {
        NatsPython() {
            super("nats-python", false, false, Differs.TIMES_NO_MESSAGES);
        }
    }

    @Tag("long")
    @Nested
    class KafkaPython extends QueueKit {
        KafkaPython() {
            super("kafka-python", true, true, Differs.TIMES_NO_MESSAGES);
        }
    }

    @Tag("pulsar")
    @Nested
    class Pulsar extends QueueKit {
        Pulsar() {
            super("pulsar", true, true);
        }
    }
}

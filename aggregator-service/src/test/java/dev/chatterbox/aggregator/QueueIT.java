package dev.chatterbox.aggregator;

import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Tag;

/** The exchange {@code queue} over each kind of row that has it. */
@Tag("long")
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

    @Nested
    class JetStream extends QueueKit {
        JetStream() {
            super("jetstream", true, true);
        }
    }

    @Nested
    class JetStreamMemory extends QueueKit {
        JetStreamMemory() {
            super("jetstream-memory", true, false);
        }
    }

    @Nested
    class RabbitMq extends QueueKit {
        RabbitMq() {
            super("rabbitmq", true, false);
        }
    }

    @Nested
    class RabbitMqSerial extends QueueKit {
        RabbitMqSerial() {
            super("rabbitmq-serial", true, true);
        }
    }

    @Nested
    class Artemis extends QueueKit {
        Artemis() {
            super("artemis", true, false);
        }
    }

    @Nested
    class ArtemisDurable extends QueueKit {
        ArtemisDurable() {
            super("artemis-durable", true, true);
        }
    }

    @Nested
    class NatsPython extends QueueKit {
        NatsPython() {
            super("nats-python", false, false, Differs.TIMES_NO_MESSAGES);
        }
    }

    @Nested
    class KafkaPython extends QueueKit {
        KafkaPython() {
            super("kafka-python", true, true, Differs.TIMES_NO_MESSAGES);
        }
    }

    @Nested
    class JetStreamStock extends QueueKit {
        JetStreamStock() {
            super("jetstream-stock", true, true);
        }
    }

    @Nested
    class JetStreamPush extends QueueKit {
        JetStreamPush() {
            super("jetstream-push", true, true);
        }
    }

    @Nested
    class JetStreamSync extends QueueKit {
        JetStreamSync() {
            super("jetstream-sync", true, true);
        }
    }

    @Nested
    class KafkaStock extends QueueKit {
        KafkaStock() {
            super("kafka-stock", true, true, Differs.TAKES_OVER_LATE);
        }
    }

    @Nested
    class KafkaBulk extends QueueKit {
        KafkaBulk() {
            super("kafka-bulk", true, true);
        }
    }

    @Nested
    class RabbitMqStock extends QueueKit {
        RabbitMqStock() {
            super("rabbitmq-stock", true, true, Differs.IS_SLOW);
        }
    }

    @Nested
    class RabbitMqQuorum extends QueueKit {
        RabbitMqQuorum() {
            super("rabbitmq-quorum", true, true);
        }
    }

    @Nested
    class RabbitMqUnconfirmed extends QueueKit {
        RabbitMqUnconfirmed() {
            super("rabbitmq-unconfirmed", false, false, Differs.KEEPS_WHAT_NOBODY_ACKNOWLEDGES);
        }
    }

    @Nested
    class ArtemisStock extends QueueKit {
        ArtemisStock() {
            super("artemis-stock", true, true, Differs.IS_SLOW);
        }
    }

    @Nested
    class ArtemisBlocking extends QueueKit {
        ArtemisBlocking() {
            super("artemis-blocking", true, true, Differs.IS_SLOW);
        }
    }

    @Nested
    class Pulsar extends QueueKit {
        Pulsar() {
            super("pulsar", true, true);
        }
    }
}

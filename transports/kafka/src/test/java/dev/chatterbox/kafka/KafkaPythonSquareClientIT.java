package dev.chatterbox.kafka;

import dev.chatterbox.client.SharedBrokers;
import dev.chatterbox.client.TestRows;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;

@Tag("long")
class KafkaPythonSquareClientIT extends KafkaSquareClientIT {

    private static final String ROW = "kafka-python";

    @BeforeAll
    static void needsPython() {
        Assumptions.assumeTrue(SharedBrokers.canHave(TestRows.find(ROW)), "Python is not here");
    }

    @Override
    protected String row() {
        return ROW;
    }
}

package dev.chatterbox.brokers;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;

/** Tests the settings in which brokers of one kind differ. */
class BrokerSettingsTests {

    @Test
    void jetStreamSyncsEachMessageOrKeepsTheServersDefault() throws IOException {
        assertThat(files(new SyncedNatsServer())).contains("sync_interval: always\n");
        assertThat(files(new NatsServer())).contains("sync_interval: 2m\n");
    }

    @Test
    void kafkaFlushesEachBatchOrLeavesItToTheSystem() throws IOException {
        assertThat(files(new FlushingKafkaBroker())).contains("\nlog.flush.interval.messages=1\n");
        assertThat(files(new KafkaBroker())).doesNotContain("log.flush");
    }

    @Test
    void pulsarSyncsItsJournalOrLeavesItToTheSystem() throws IOException {
        assertThat(files(new SyncedPulsarBroker()))
                .contains("\njournalSyncData=true\n")
                .doesNotContain("journalSyncData=false");
        assertThat(files(new PulsarBroker())).contains("\njournalSyncData=false\n");
    }

    @Test
    void brokersOfOneKindDifferInNameAndPorts() {
        assertThat(new SyncedNatsServer().kind()).isEqualTo(new NatsServer().kind());
        assertThat(new SyncedNatsServer().name()).isNotEqualTo(new NatsServer().name());
        assertThat(new FlushingKafkaBroker().ports(1).get(0))
                .doesNotContainValue(new KafkaBroker().ports(1).get(0).get("client"));
    }

    private static String files(Broker broker) throws IOException {
        Node node = new Node(broker, 1, broker.ports(1), OptionalInt.empty(), Path.of("stack"), List.of());
        return String.join("\n", broker.files(node).values());
    }
}

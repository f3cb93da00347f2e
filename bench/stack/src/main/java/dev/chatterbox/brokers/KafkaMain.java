package dev.chatterbox.brokers;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.UUID;
import kafka.Kafka;
import kafka.tools.StorageTool;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.utils.AppInfoParser;

/**
 * The main class of the broker's own JVM. It formats the data folder if that is new, and then becomes the broker.
 * Kafka's scripts need two starts of a JVM for this.
 */
final class KafkaMain {

    private KafkaMain() {}

    /**
     * Runs in the folder that contains the configuration file and the data folder.
     *
     * @param args the name of the configuration file, the name of the data folder, and for a node of a cluster a text
     *     that all of its nodes have in common: the id of the cluster is made from it
     */
    public static void main(String[] args) {
        System.setProperty("chatterbox.broker.version", AppInfoParser.getVersion());
        // Kafka writes this file last, by a move: if it exists, the formatting was completed.
        if (!Files.exists(Path.of(args[1], "meta.properties"))) {
            Uuid cluster = args.length > 2 ? named(args[2]) : Uuid.randomUuid();
            String[] format = {"format", "--cluster-id", cluster.toString(), "--config", args[0]};
            int status = StorageTool.execute(format, System.out);
            if (status != 0) {
                System.exit(status);
            }
        }
        Kafka.main(new String[] {args[0]});
    }

    private static Uuid named(String text) {
        UUID id = UUID.nameUUIDFromBytes(text.getBytes(StandardCharsets.UTF_8));
        return new Uuid(id.getMostSignificantBits(), id.getLeastSignificantBits());
    }
}

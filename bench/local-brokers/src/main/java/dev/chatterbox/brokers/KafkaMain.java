package dev.chatterbox.brokers;

import java.nio.file.Files;
import java.nio.file.Path;
import kafka.Kafka;
import kafka.tools.StorageTool;
import org.apache.kafka.common.Uuid;

/**
 * The main class of the broker's own JVM: formats the data folder if it is new, then becomes the broker. Kafka's
 * scripts pay for two JVM starts here.
 */
final class KafkaMain {

    private KafkaMain() {}

    /**
     * Runs in the folder that holds both.
     *
     * @param args the name of the configuration file, the name of the data folder
     */
    public static void main(String[] args) {
        // Kafka writes this file last, by a move: where it stands, formatting was completed.
        if (!Files.exists(Path.of(args[1], "meta.properties"))) {
            String[] format = {"format", "--cluster-id", Uuid.randomUuid().toString(), "--config", args[0]};
            int status = StorageTool.execute(format, System.out);
            if (status != 0) {
                System.exit(status);
            }
        }
        Kafka.main(new String[] {args[0]});
    }
}

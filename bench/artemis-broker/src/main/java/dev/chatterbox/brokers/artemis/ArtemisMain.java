package dev.chatterbox.brokers.artemis;

import java.nio.file.Path;
import org.apache.activemq.artemis.api.core.SimpleString;
import org.apache.activemq.artemis.core.config.Configuration;
import org.apache.activemq.artemis.core.config.MetricsConfiguration;
import org.apache.activemq.artemis.core.config.impl.ConfigurationImpl;
import org.apache.activemq.artemis.core.server.embedded.EmbeddedActiveMQ;
import org.apache.activemq.artemis.core.settings.impl.AddressFullMessagePolicy;
import org.apache.activemq.artemis.core.settings.impl.AddressSettings;
import org.apache.activemq.artemis.utils.VersionLoader;

/** The main class of the broker's own JVM: one node without users, which speaks only Artemis' core protocol. */
public final class ArtemisMain {

    /** The limit of an address in bytes, as the broker counts them: some tens of thousands of requests. */
    private static final long MOST_BYTES = 64 << 20;

    private static final int MOST_SPARE_FILES = 4;

    /** The address of messages that expire or cannot be delivered. They are dropped, with no warning per queue. */
    private static final SimpleString NOWHERE = SimpleString.of("");

    private ArtemisMain() {}

    /**
     * @param args the host and port to listen on, {@code HOST:PORT}; the data folder; and, if Prometheus fetches
     *     metrics, the port for these, on all addresses
     */
    public static void main(String[] args) throws Exception {
        System.setProperty(
                "chatterbox.broker.version", VersionLoader.getVersion().getFullVersion());
        Configuration configuration = configuration(args[0], Path.of(args[1]));
        if (args.length > 2) {
            configuration.setMetricsConfiguration(
                    new MetricsConfiguration().setPlugin(PrometheusPlugin.serving(Integer.parseInt(args[2]))));
        }
        EmbeddedActiveMQ broker = new EmbeddedActiveMQ().setConfiguration(configuration);
        broker.start();
        if (broker.getActiveMQServer().getRemotingService().getAcceptors().values().stream()
                .anyMatch(acceptor -> acceptor.getActualPort() <= 0)) {
            // Artemis only logs that it could not listen, and would go on.
            System.exit(1);
        }
        Runtime.getRuntime().addShutdownHook(new Thread(() -> stop(broker), "artemis-stop"));
    }

    private static Configuration configuration(String address, Path data) throws Exception {
        return new ConfigurationImpl()
                .setName("chatterbox")
                .setSecurityEnabled(false)
                // Nobody reads the JMX beans, and each temporary queue would have several.
                .setJMXManagementEnabled(false)
                .setSuppressSessionNotifications(true)
                .addAcceptorConfiguration("core", "tcp://%s?protocols=CORE".formatted(address))
                // The journal's type is Artemis' own choice: libaio where its native library is there, else NIO.
                // Durable
                // messages are synced to the disk before a consumer gets them. After a flood of messages, spare files
                // above
                // this number are deleted.
                .setJournalPoolFiles(MOST_SPARE_FILES)
                .setJournalDirectory(data.resolve("journal").toString())
                .setBindingsDirectory(data.resolve("bindings").toString())
                .setLargeMessagesDirectory(data.resolve("large-messages").toString())
                .setPagingDirectory(data.resolve("paging").toString())
                // By default, producers are blocked without an error if the disk is 90 % full.
                .setMaxDiskUsage(-1)
                .addAddressSetting(
                        "#",
                        new AddressSettings()
                                // A message above the limit is refused; by default it would be paged to the disk.
                                .setAddressFullMessagePolicy(AddressFullMessagePolicy.FAIL)
                                .setMaxSizeBytes(MOST_BYTES)
                                .setExpiryAddress(NOWHERE)
                                .setDeadLetterAddress(NOWHERE)
                                // The responder creates its queue. If a JMS client sends to a name without a queue, no
                                // queue is created.
                                .setAutoCreateQueues(false))
                .addAddressSetting(
                        "*.messages.#",
                        new AddressSettings()
                                // A backlog is no flood: above the limit it goes to the disk.
                                .setAddressFullMessagePolicy(AddressFullMessagePolicy.PAGE)
                                // By default a message is dropped after ten attempts, and a connection that breaks
                                // counts as one for each message in its buffer.
                                .setMaxDeliveryAttempts(-1));
    }

    private static void stop(EmbeddedActiveMQ broker) {
        try {
            broker.stop();
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }
}

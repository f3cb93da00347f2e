package dev.chatterbox.brokers.artemis;

import java.nio.file.Path;
import org.apache.activemq.artemis.api.core.SimpleString;
import org.apache.activemq.artemis.core.config.Configuration;
import org.apache.activemq.artemis.core.config.MetricsConfiguration;
import org.apache.activemq.artemis.core.config.impl.ConfigurationImpl;
import org.apache.activemq.artemis.core.server.JournalType;
import org.apache.activemq.artemis.core.server.embedded.EmbeddedActiveMQ;
import org.apache.activemq.artemis.core.settings.impl.AddressFullMessagePolicy;
import org.apache.activemq.artemis.core.settings.impl.AddressSettings;

/** The main class of the broker's own JVM: one node that speaks Artemis' core protocol only, without users. */
public final class ArtemisMain {

    /** The bound on the messages of an address, as the broker counts bytes: some tens of thousands of requests. */
    private static final long MOST_BYTES = 64 << 20;

    private static final int MOST_SPARE_FILES = 4;

    /** The address of messages that expire or cannot be delivered: they are dropped, without a warning for each queue. */
    private static final SimpleString NOWHERE = SimpleString.of("");

    private ArtemisMain() {}

    /**
     * @param args host and port to listen on, {@code HOST:PORT}; the data folder; and, where Prometheus fetches figures,
     *     the port for that, on all addresses
     */
    public static void main(String[] args) throws Exception {
        Configuration configuration = configuration(args[0], Path.of(args[1]));
        if (args.length > 2) {
            configuration.setMetricsConfiguration(
                    new MetricsConfiguration().setPlugin(PrometheusPlugin.serving(Integer.parseInt(args[2]))));
        }
        EmbeddedActiveMQ broker = new EmbeddedActiveMQ().setConfiguration(configuration);
        broker.start();
        if (broker.getActiveMQServer().getRemotingService().getAcceptors().values().stream()
                .anyMatch(acceptor -> acceptor.getActualPort() <= 0)) {
            // It says so in its log, and would go on without listening.
            System.exit(1);
        }
        Runtime.getRuntime().addShutdownHook(new Thread(() -> stop(broker), "artemis-stop"));
    }

    private static Configuration configuration(String address, Path data) throws Exception {
        return new ConfigurationImpl()
                .setName("chatterbox")
                .setSecurityEnabled(false)
                // Nobody looks at them, and each temporary queue would be several.
                .setJMXManagementEnabled(false)
                .setSuppressSessionNotifications(true)
                .addAcceptorConfiguration("core", "tcp://%s?protocols=CORE".formatted(address))
                // Durable messages are on the disk, synced, before anybody gets them: Artemis' default.
                .setJournalType(JournalType.NIO)
                // Spare files that a flood has left are deleted.
                .setJournalPoolFiles(MOST_SPARE_FILES)
                .setJournalDirectory(data.resolve("journal").toString())
                .setBindingsDirectory(data.resolve("bindings").toString())
                .setLargeMessagesDirectory(data.resolve("large-messages").toString())
                .setPagingDirectory(data.resolve("paging").toString())
                // By default producers are held back, without a word to them, where the disk is 90 % full.
                .setMaxDiskUsage(-1)
                .addAddressSetting(
                        "#",
                        new AddressSettings()
                                // A message above the bound is refused; by default it would be paged to the disk.
                                .setAddressFullMessagePolicy(AddressFullMessagePolicy.FAIL)
                                .setMaxSizeBytes(MOST_BYTES)
                                .setExpiryAddress(NOWHERE)
                                .setDeadLetterAddress(NOWHERE)
                                // The responder makes its queue; a JMS client that sends to a name that nobody has
                                // makes none.
                                .setAutoCreateQueues(false));
    }

    private static void stop(EmbeddedActiveMQ broker) {
        try {
            broker.stop();
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }
}

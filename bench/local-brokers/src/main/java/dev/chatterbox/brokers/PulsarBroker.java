package dev.chatterbox.brokers;

import dev.chatterbox.processes.ChildProcess;
import dev.chatterbox.processes.LocalHttp;
import dev.chatterbox.processes.MavenJars;
import dev.chatterbox.processes.Platform;
import dev.chatterbox.processes.Probe;
import dev.chatterbox.processes.ProcessException;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.NetworkInterface;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Consumer;

/**
 * Apache Pulsar's standalone: broker, BookKeeper and metadata in one JVM. Its 327 jars are 252 MB, so no build fetches
 * them: Maven does when it is first started.
 *
 * <p>Roles: {@code client}, {@code admin} (HTTP), {@code bookie} (where only the broker connects).
 */
public final class PulsarBroker implements Broker {

    private static final Duration START_TIMEOUT = Duration.ofMinutes(2);

    private static final MavenJars JARS =
            new MavenJars("Pulsar 4.2.4", resource("pulsar-pom.xml"), 252, Platform.current());

    private static final String MAIN = "org.apache.pulsar.PulsarStandaloneStarter";
    private static final String CONFIGURATION = "standalone.conf";
    private static final String LOGGING = "log4j2.xml";
    private static final String DATA = "data";

    /** Namespace of all topics that name none; it is made last, when the first broker of a folder starts. */
    private static final String NAMESPACE = "/admin/v2/namespaces/public/default";

    /** A client that calls itself c and speaks version 21 connects: 13 bytes that follow, 9 of them the command. */
    private static final Probe PROBE = new Probe("\0\0\0\15\0\0\0\11\10\2\22\5\12\1c\40\25", "Pulsar Server");

    private static String resource(String name) {
        try (InputStream file = Objects.requireNonNull(PulsarBroker.class.getResourceAsStream(name), name)) {
            return new String(file.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public String name() {
        return "pulsar";
    }

    @Override
    public Map<String, Integer> defaultPorts() {
        Map<String, Integer> ports = new LinkedHashMap<>();
        ports.put("client", 6650);
        // Its own are 8080, which is the aggregator's, and 3181.
        ports.put("admin", 6651);
        ports.put("bookie", 6652);
        return ports;
    }

    @Override
    public String origin() {
        return JARS.origin();
    }

    @Override
    public void obtain() {
        obtain(line -> {});
    }

    @Override
    public void obtain(Consumer<String> progress) {
        JARS.obtain(progress);
    }

    @Override
    public Probe probe() {
        return PROBE;
    }

    @Override
    public Map<String, String> environment(Map<String, Integer> ports) {
        return Map.of(
                "PULSAR_URL", "pulsar://127.0.0.1:" + ports.get("client"),
                "PULSAR_ADMIN_URL", "http://127.0.0.1:" + ports.get("admin"));
    }

    @Override
    public List<Path> classPath() {
        return JARS.obtain(line -> {});
    }

    @Override
    public RunningBroker start(Launch launch) {
        obtain();
        return new RunningBroker(launch.port("client"), environment(launch.ports()), () -> startProcess(launch));
    }

    private ChildProcess startProcess(Launch launch) {
        Path home = launch.home(this);
        try {
            Files.createDirectories(home);
            Files.writeString(home.resolve(CONFIGURATION), configuration(launch));
            Files.writeString(home.resolve(LOGGING), resource("pulsar-log4j2.xml"));
        } catch (IOException e) {
            throw new ProcessException("Pulsar's folder cannot be written: " + e, e);
        }
        List<String> flags = new ArrayList<>(launch.javaFlags());
        flags.addAll(List.of(
                "-Xms256m",
                "-Xmx256m",
                // Where its messages are: with half of it, it runs out.
                "-XX:MaxDirectMemorySize=256m",
                "-XX:+UseG1GC",
                // As Pulsar's own script has it: so Netty frees direct memory without the garbage collector.
                "--add-opens=java.base/java.nio=ALL-UNNAMED",
                "--add-opens=java.base/jdk.internal.misc=ALL-UNNAMED",
                "-Dio.netty.tryReflectionSetAccessible=true",
                "-Dlog4j2.configurationFile=" + LOGGING,
                "-Dchatterbox.process=pulsar-broker"));
        List<String> arguments = List.of(
                "--config",
                CONFIGURATION,
                "--no-functions-worker",
                "--no-stream-storage",
                // Not as a folder, which it would make a URL of: one of its name need not be legal in that.
                "--metadata-url",
                "rocksdb:" + DATA + "/metadata",
                "--bookkeeper-dir",
                DATA + "/bookkeeper",
                "--bookkeeper-port",
                Integer.toString(launch.port("bookie")));
        try {
            return launch.start(
                    this,
                    JavaProgram.command(flags, classPath(), MAIN, arguments),
                    () -> PROBE.isAnswered(launch.port("client"))
                            && LocalHttp.get(launch.port("admin"), NAMESPACE).status() == 200,
                    START_TIMEOUT);
        } catch (ProcessException e) {
            throw new ProcessException(
                    "%s%nIf its data folder is broken, delete it: %s".formatted(e.getMessage(), home.resolve(DATA)), e);
        }
    }

    /** What is not here is as BookKeeper and Pulsar have it by themselves. */
    private static String configuration(Launch launch) throws IOException {
        return """
                clusterName=standalone
                bindAddress=127.0.0.1
                advertisedAddress=127.0.0.1
                brokerServicePort=%d
                webServicePort=%d
                # A bookie takes loopback for an error unless it is allowed.
                allowLoopback=true
                listeningInterface=%s
                allowEphemeralPorts=true
                # It is one: everything is held once.
                managedLedgerDefaultEnsembleSize=1
                managedLedgerDefaultWriteQuorum=1
                managedLedgerDefaultAckQuorum=1
                # Nothing of this is used here.
                systemTopicEnabled=false
                topicLevelPoliciesEnabled=false
                transactionCoordinatorEnabled=false
                webSocketServiceEnabled=false
                loadBalancerEnabled=false
                loadManagerClassName=org.apache.pulsar.broker.loadbalance.NoopLoadManager
                # By default a consumer that has read all is told of the next message up to 10 ms late.
                managedLedgerNewEntriesCheckDelayInMillis=0
                # Written to the journal's file before it counts, as with Kafka, but not synced to the disk each time.
                journalSyncData=false
                ledgerStorageClass=org.apache.bookkeeper.bookie.storage.ldb.DbLedgerStorage
                # The largest message of 5 MiB, and what is around it.
                nettyMaxFrameSizeBytes=5253120
                # A client that says nothing for twice as long is gone, and what it took goes to others.
                keepAliveIntervalSeconds=5
                # Less than the 10 s that it is given.
                brokerShutdownTimeoutMs=5000
                # Bounds the disk that it takes: a ledger is deleted once it is full and all its messages are
                # acknowledged, and a file of entries once all ledgers in it are. What is left of files that are half
                # empty, such as the positions of consumers, is moved to another.
                managedLedgerMaxSizePerLedgerMbytes=32
                managedLedgerMaxEntriesPerLedger=1000000
                managedLedgerMinLedgerRolloverTimeMinutes=0
                managedLedgerMaxLedgerRolloverTimeMinutes=1
                retentionCheckIntervalInSeconds=20
                logSizeLimit=33554432
                flushInterval=5000
                gcWaitTime=5000
                minorCompactionInterval=10
                minorCompactionThreshold=0.5
                majorCompactionInterval=60
                journalMaxSizeMB=32
                journalMaxBackups=0
                journalPreAllocSizeMB=4
                # A small disk that is nearly full is still good enough.
                diskUsageThreshold=0.99
                diskUsageWarnThreshold=0.99
                # What an aggregator or a test has left goes within a minute: topics that nobody uses.
                brokerDeleteInactiveTopicsFrequencySeconds=10
                %s""".formatted(
                        launch.port("client"),
                        launch.port("admin"),
                        loopback(),
                        // What clients connect to after they have looked a topic up.
                        launch.advertisedPort().stream()
                                .mapToObj("""
                                        advertisedListeners=network:pulsar://127.0.0.1:%d
                                        internalListenerName=network
                                        """::formatted)
                                .findFirst()
                                .orElse(""));
    }

    /** Its name: lo, or lo0. */
    private static String loopback() throws IOException {
        NetworkInterface loopback = NetworkInterface.getByInetAddress(InetAddress.getByName("127.0.0.1"));
        if (loopback == null) {
            throw new IOException("there is no network interface for 127.0.0.1");
        }
        return loopback.getName();
    }
}

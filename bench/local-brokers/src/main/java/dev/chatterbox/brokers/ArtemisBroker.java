package dev.chatterbox.brokers;

import dev.chatterbox.brokers.artemis.ArtemisMain;
import dev.chatterbox.processes.ChildProcess;
import dev.chatterbox.processes.Probe;
import dev.chatterbox.processes.ProcessException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * Apache Artemis, one node in a JVM of its own, with a class path of its own: the module artemis-broker has the main
 * class and the list of jars. Speaks the core protocol only.
 *
 * <p>Roles: {@code client}.
 */
public final class ArtemisBroker implements Broker {

    private static final Duration START_TIMEOUT = Duration.ofMinutes(1);
    private static final JavaProgram PROGRAM = new JavaProgram("Artemis", "artemis.classpath", ArtemisMain.class);

    /**
     * Its core protocol's greeting and a ping: 17 bytes that follow, the packet's type, channel 0, and how long the
     * connection lives without a further word, 1000 ms. A ping comes back.
     */
    private static final Probe PROBE =
            new Probe("ARTEMIS\0\0\0\21\n" + "\0".repeat(8) + "\0\0\0\0\0\0\3\u00e8", "\n" + "\0".repeat(8));

    @Override
    public String name() {
        return "artemis";
    }

    /** That of HornetQ, Artemis' predecessor: its own, 61616, leaves no room for a second stack's offset. */
    @Override
    public Map<String, Integer> defaultPorts() {
        return Map.of("client", 5445);
    }

    @Override
    public String origin() {
        return PROGRAM.origin();
    }

    /** The build got them. */
    @Override
    public void obtain() {
        PROGRAM.jars();
    }

    @Override
    public Probe probe() {
        return PROBE;
    }

    @Override
    public Map<String, String> environment(Map<String, Integer> ports) {
        return Map.of("ARTEMIS_URL", "tcp://127.0.0.1:" + ports.get("client"));
    }

    @Override
    public List<Path> classPath() {
        return PROGRAM.classPath();
    }

    @Override
    public RunningBroker start(Launch launch) {
        return new RunningBroker(launch.port("client"), environment(launch.ports()), () -> startProcess(launch));
    }

    private ChildProcess startProcess(Launch launch) {
        try {
            Files.createDirectories(launch.home(this));
        } catch (IOException e) {
            throw new ProcessException("Artemis' folder cannot be written: " + e, e);
        }
        List<String> flags = new ArrayList<>(launch.javaFlags());
        flags.addAll(List.of("-Xms512m", "-Xmx512m", "-XX:+UseG1GC", "-Dchatterbox.process=artemis-broker"));
        return launch.start(
                this,
                PROGRAM.command(flags, List.of("127.0.0.1:" + launch.port("client"), "data")),
                () -> PROBE.isAnswered(launch.port("client")),
                START_TIMEOUT);
    }
}

package dev.chatterbox.brokers;

import dev.chatterbox.processes.ChildProcess;
import dev.chatterbox.processes.Probe;
import dev.chatterbox.processes.ProcessException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/** What the brokers have in common: files of configuration in a folder, a process, and the wait until it is ready. */
abstract class ProcessBroker implements Broker {

    private final String name;
    private final String title;
    private final Map<String, Integer> ports = new LinkedHashMap<>();
    private final Probe probe;
    private final Duration startTimeout;

    /**
     * @param title for people
     * @param ports by role, the one for clients first
     */
    @SafeVarargs
    ProcessBroker(String name, String title, Probe probe, Duration startTimeout, Map.Entry<String, Integer>... ports) {
        this.name = name;
        this.title = title;
        for (Map.Entry<String, Integer> port : ports) {
            this.ports.put(port.getKey(), port.getValue());
        }
        this.probe = probe;
        this.startTimeout = startTimeout;
    }

    @Override
    public final String name() {
        return name;
    }

    String title() {
        return title;
    }

    @Override
    public final Map<String, Integer> defaultPorts() {
        return ports;
    }

    @Override
    public final Probe probe() {
        return probe;
    }

    @Override
    public final RunningBroker start(Launch launch) {
        obtain();
        writeFiles(launch);
        return new RunningBroker(
                launch.port("client"), environment(launch.ports()), () -> startProcess(launch), companions(launch));
    }

    private void writeFiles(Launch launch) {
        Path home = launch.home(this);
        try {
            Files.createDirectories(home);
            for (Map.Entry<String, String> file : files(launch).entrySet()) {
                Files.writeString(home.resolve(file.getKey()), file.getValue());
            }
        } catch (IOException e) {
            throw new ProcessException("%s's folder cannot be written: %s".formatted(title, e), e);
        }
    }

    /** Its files of configuration: the text by the name in its folder. */
    abstract Map<String, String> files(Launch launch) throws IOException;

    /** A text that lies beside this class. */
    static String resource(String name) throws IOException {
        try (InputStream file = Objects.requireNonNull(ProcessBroker.class.getResourceAsStream(name), name)) {
            return new String(file.readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    /** Starts what must run before the broker does; such a process stays until the broker is closed. */
    List<ChildProcess> companions(Launch launch) {
        return List.of();
    }

    ChildProcess startProcess(Launch launch) {
        return launch.start(this, name, command(launch), () -> isReady(launch), startTimeout);
    }

    /** How it is run in its folder. */
    abstract ProcessBuilder command(Launch launch);

    boolean isReady(Launch launch) throws IOException {
        return probe.isAnswered(launch.port("client"));
    }
}

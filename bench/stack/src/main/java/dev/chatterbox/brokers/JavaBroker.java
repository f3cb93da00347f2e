package dev.chatterbox.brokers;

import dev.chatterbox.processes.ChildEnvironment;
import dev.chatterbox.processes.ChildProcess;
import dev.chatterbox.processes.Io;
import dev.chatterbox.processes.JavaCommand;
import dev.chatterbox.processes.Jvm;
import dev.chatterbox.processes.Probe;
import dev.chatterbox.processes.ProcessException;
import java.io.File;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * A broker that is a Java program. The build puts its jars into Maven's local repository, and a list of them beside a
 * class of ours. The broker stores its data in {@value #DATA} below its own folder.
 */
abstract class JavaBroker extends Broker {

    static final String DATA = "data";

    private static final String VERSION = "chatterbox.broker.version";

    private final Class<?> beside;

    /** @param beside the class that has the list of jars beside it; by default also the main class, see {@link #version} */
    JavaBroker(String name, String title, Class<?> beside, Probe probe, Map<String, Integer> ports) {
        super(name, title, probe, ports);
        this.beside = beside;
    }

    String mainClass() {
        return beside.getName();
    }

    /** The flags for the broker's JVM: heap, collector, properties. */
    abstract List<String> flags();

    abstract List<String> arguments(Node node);

    @Override
    protected ProcessBuilder command(Node node) {
        List<String> flags = new ArrayList<>(node.javaFlags());
        flags.addAll(flags());
        return ChildEnvironment.builder(java(flags, mainClass(), arguments(node)));
    }

    /** The command line of a JVM that has the broker's jars, and the place of our class. */
    final List<String> java(List<String> flags, String main, List<String> arguments) {
        URI own = URI.create(
                beside.getProtectionDomain().getCodeSource().getLocation().toString());
        String classPath = Stream.concat(Stream.of(Path.of(own)), jars().stream())
                .map(Path::toString)
                .collect(Collectors.joining(File.pathSeparator));
        List<String> all = new ArrayList<>(flags);
        all.addAll(List.of("-cp", classPath, main));
        all.addAll(arguments);
        return JavaCommand.of(all);
    }

    @Override
    ChildProcess startProcess(Launch launch) {
        try {
            return super.startProcess(launch);
        } catch (ProcessException e) {
            Path data = launch.node().home().resolve(DATA);
            throw new ProcessException(
                    "%s%nIf its data folder is broken, delete it: %s".formatted(e.getMessage(), data), e);
        }
    }

    /** The version is the property {@value #VERSION}, which a main class of ours sets. */
    @Override
    public String version(Node node, long pid) throws IOException {
        String version = Jvm.properties(pid).getProperty(VERSION);
        if (version == null) {
            throw new IOException(title() + " does not say its version");
        }
        return version;
    }

    @Override
    public String origin() {
        return "%s, %d jars".formatted(title(), jars().size());
    }

    private List<Path> jars() {
        String list = kind() + ".classpath";
        if (beside.getResource(list) == null) {
            throw new ProcessException(missing());
        }
        // The archive of a release was built on another machine, so it contains the jars.
        Path packed = Path.of(System.getenv().getOrDefault("CHATTERBOX_HOME", ""), "bench/cli/target/brokers", kind());
        List<Path> jars = Stream.of(Io.resource(beside, list).strip().split(File.pathSeparator))
                .map(Path::of)
                .map(jar -> Files.isDirectory(packed) ? packed.resolve(jar.getFileName()) : jar)
                .toList();
        jars.stream().filter(jar -> !Files.isReadable(jar)).findFirst().ifPresent(jar -> {
            throw new ProcessException("%s's jar %s is gone: build bench/stack again.".formatted(title(), jar));
        });
        return jars;
    }

    /** The sentence if there is no list of jars. */
    String missing() {
        return "The list of %s's jars is missing: build bench/stack with Maven, not the IDE alone.".formatted(title());
    }
}

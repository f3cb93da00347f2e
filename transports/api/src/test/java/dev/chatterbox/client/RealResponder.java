package dev.chatterbox.client;

import dev.chatterbox.brokers.Unavailable;
import dev.chatterbox.processes.ChildProcess;
import dev.chatterbox.processes.JavaCommand;
import dev.chatterbox.processes.Lifetime;
import dev.chatterbox.processes.Ports;
import dev.chatterbox.processes.programs.PythonEnvironment;
import dev.chatterbox.stack.Repository;
import dev.chatterbox.variants.ResponderProgram;
import dev.chatterbox.variants.Variant;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** The responder of a variant as its folder describes it, as a process on free ports. */
public final class RealResponder implements AutoCloseable {

    /** The root of the checkout, from a module's folder or from one in {@code services}. */
    private static final Path ROOT = Path.of(Files.isDirectory(Path.of("..", "variants")) ? ".." : "../..");

    private static final HttpClient HTTP = HttpClient.newHttpClient();

    private final ResponderProgram program;
    private final Map<String, Integer> ports;
    private final ChildProcess process;

    private RealResponder(ResponderProgram program, Map<String, Integer> ports, ChildProcess process) {
        this.program = program;
        this.ports = ports;
        this.process = process;
    }

    /** Why this machine cannot run it, in one line; empty where it can. */
    static Optional<String> whyUnavailable(Variant.Responder responder) {
        ResponderProgram program = program(responder);
        return program.start().python().isPresent()
                ? Unavailable.why(PythonEnvironment.of(program.folder())::origin)
                : Optional.empty();
    }

    private static ResponderProgram program(Variant.Responder responder) {
        return ResponderProgram.read(ROOT.resolve(responder.program()));
    }

    /**
     * Starts a responder and waits until it is healthy, which means that it is connected to its broker.
     *
     * @param environment the environment variables of its broker
     */
    public static RealResponder start(Variant variant, Map<String, String> environment) {
        RealResponder started = launch(variant, environment);
        started.process.awaitReady(
                () -> started.get(started.program.health()).statusCode() == 200, Duration.ofMinutes(3));
        return started;
    }

    /** Starts one, and does not wait for it. */
    public static RealResponder launch(Variant variant, Map<String, String> environment) {
        Variant.Responder responder = variant.responder().orElseThrow();
        ResponderProgram program = program(responder);
        Map<String, Integer> ports = new TreeMap<>(program.ports(responder));
        Iterator<Integer> free = Ports.free(ports.size()).iterator();
        ports.replaceAll((role, port) -> free.next());
        ProcessBuilder builder = new ProcessBuilder(command(program, responder.name())).directory(directory(program));
        builder.environment().putAll(environment);
        builder.environment().putAll(program.environment(variant, ports));
        Path log = Path.of("target", "responders", responder.name() + "-" + ports.get(ResponderProgram.HTTP) + ".log");
        ChildProcess process = ChildProcess.start(responder.name(), builder, log, Lifetime.WITH_PARENT);
        return new RealResponder(program, ports, process);
    }

    private static List<String> command(ResponderProgram program, String name) {
        if (program.start().jar().isPresent()) {
            String jar = Repository.jar(program.folder(), program.start().jar().get())
                    .toString();
            return JavaCommand.of(List.of(
                    "-Xmx128m",
                    // So the JVM starts sooner; it lives too briefly for the second compiler.
                    "-XX:TieredStopAtLevel=1",
                    "-XX:+UseSerialGC",
                    "-Dchatterbox.process=" + name,
                    "-jar",
                    jar));
        }
        List<String> command = new ArrayList<>(
                program.start().python().isPresent()
                        ? program.pythonCommand(
                                PythonEnvironment.of(program.folder()).obtain())
                        : program.start().command());
        command.add("--chatterbox.process=" + name);
        return command;
    }

    /** A command runs in its folder; a jar runs anywhere. */
    private static File directory(ResponderProgram program) {
        return (program.start().jar().isPresent() ? Path.of("") : program.folder())
                .toAbsolutePath()
                .toFile();
    }

    public HttpResponse<String> get(String path) throws IOException {
        try {
            return HTTP.send(
                    HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + ports.get(ResponderProgram.HTTP) + path))
                            .timeout(Duration.ofSeconds(5))
                            .build(),
                    HttpResponse.BodyHandlers.ofString());
        } catch (InterruptedException e) {
            throw new IOException(e);
        }
    }

    public ChildProcess process() {
        return process;
    }

    public Map<String, Integer> ports() {
        return ports;
    }

    /** How many requests it has answered rightly, according to its metrics. */
    public long answered() {
        try {
            return get(program.metrics())
                    .body()
                    .lines()
                    .filter(line -> line.startsWith("chatterbox_squares_total") && line.contains("outcome=\"ok\""))
                    .mapToLong(line -> (long) Double.parseDouble(line.substring(line.lastIndexOf(' ') + 1)))
                    .sum();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void close() {
        process.stop(Duration.ofSeconds(8));
    }
}

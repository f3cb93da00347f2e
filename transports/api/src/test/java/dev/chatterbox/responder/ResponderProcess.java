package dev.chatterbox.responder;

import dev.chatterbox.processes.ChildProcess;
import dev.chatterbox.processes.JavaCommand;
import dev.chatterbox.processes.Lifetime;
import dev.chatterbox.processes.Ports;
import dev.chatterbox.processes.programs.PythonEnvironment;
import dev.chatterbox.stack.Repository;
import dev.chatterbox.variants.ResponderProgram;
import dev.chatterbox.variants.Variant;
import dev.chatterbox.variants.Variants;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** A responder as a process, started on free ports as its description says, and seen from outside. */
public final class ResponderProcess implements AutoCloseable {

    /** The token that permits its bearer to set faults: {@code Authorization: Bearer …}. */
    static final String TOKEN = "token-of-the-kit";

    /** These flags halve the start of a JVM, and no test here is a measurement. */
    private static final List<String> JAVA_FLAGS = List.of("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-Xmx256m");

    private static final Duration START_TIMEOUT = Duration.ofMinutes(3);
    private static final Duration GRACE = Duration.ofMinutes(1);
    private static final Pattern LABEL = Pattern.compile("(\\w+)=\"([^\"]*)\"");

    /** HTTP/1.1 as curl speaks it: some servers lose the body of a request that offers HTTP/2, the JDK's default. */
    private static final HttpClient HTTP =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

    private static final AtomicInteger STARTED = new AtomicInteger();

    private final String name;
    private final ResponderProgram program;
    private final Map<String, Integer> ports;
    private final Map<String, String> address;
    private final ChildProcess process;

    private ResponderProcess(
            String name,
            ResponderProgram program,
            Map<String, Integer> ports,
            Map<String, String> address,
            ChildProcess process) {
        this.name = name;
        this.program = program;
        this.ports = ports;
        this.address = address;
        this.process = process;
    }

    /**
     * Starts a responder and waits until it answers over HTTP, healthy or not.
     *
     * @param folder of the responder's description
     * @param name of the process
     * @param address by part
     * @param environment added to that of the description, as a variant's {@code responder.env} is
     */
    public static ResponderProcess start(
            Path folder, String name, Map<String, String> address, Map<String, String> environment) {
        ResponderProgram program = ResponderProgram.read(folder);
        Variant variant = variant(name, address, environment);
        Map<String, Integer> ports = new TreeMap<>();
        Iterator<Integer> free = Ports.free(program.ports().size()).iterator();
        program.ports().keySet().forEach(role -> ports.put(role, free.next()));
        ProcessBuilder builder = new ProcessBuilder(command(program, name))
                .directory(folder.toAbsolutePath().toFile());
        builder.environment().putAll(program.environment(variant, ports));
        // Other JVMs test responders of the same name, and a later attempt must leave the logs of the first one.
        long tester = ProcessHandle.current().pid();
        Path log = Path.of("target", "responders", "%s-%d-%d.log".formatted(name, tester, STARTED.incrementAndGet()));
        try {
            Files.deleteIfExists(log);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        ChildProcess process = ChildProcess.start(name, builder, log, Lifetime.WITH_PARENT);
        ResponderProcess started = new ResponderProcess(name, program, ports, address, process);
        process.awaitReady(started::answersHttp, START_TIMEOUT);
        return started;
    }

    /** The variant that a file in {@code variants/} would describe with this responder. */
    private static Variant variant(String name, Map<String, String> address, Map<String, String> environment) {
        Properties variant = new Properties();
        variant.put("transport", "kit");
        variant.put("about", "a responder that is tested");
        variant.put("kind", "direct");
        variant.put("modes", "unary");
        variant.put("client", "kit.Requester");
        variant.put("responder", name);
        address.forEach((part, value) -> variant.put("address." + part, value));
        environment.forEach((variable, value) -> variant.put("responder.env." + variable, value));
        return Variants.of(Map.of("kit.properties", variant)).find("kit").orElseThrow();
    }

    private static List<String> command(ResponderProgram program, String name) {
        List<String> command = new ArrayList<>();
        if (program.start().jar().isPresent()) {
            command.addAll(JAVA_FLAGS);
            command.add("-Dchatterbox.process=" + name);
            command.add("-jar");
            command.add(Repository.jar(
                            program.folder().toAbsolutePath(),
                            program.start().jar().get())
                    .toString());
            return JavaCommand.of(command);
        }
        command.addAll(
                program.start().python().isPresent()
                        ? program.pythonCommand(
                                PythonEnvironment.of(program.folder()).obtain())
                        : program.start().command());
        command.add("--chatterbox.process=" + name);
        return command;
    }

    private boolean answersHttp() throws IOException {
        try {
            health();
            return true;
        } catch (UncheckedIOException e) {
            throw e.getCause();
        }
    }

    public String name() {
        return name;
    }

    /** A part of the address at which it answers. */
    public String address(String part) {
        return address.get(part);
    }

    public ChildProcess process() {
        return process;
    }

    public int port(String role) {
        return ports.get(role);
    }

    /** @param path used unchanged: the caller must encode it */
    public URI uri(String path) {
        return uri(ResponderProgram.HTTP, path);
    }

    /** @param path used unchanged: the caller must encode it */
    public URI uri(String role, String path) {
        return URI.create("http://127.0.0.1:" + port(role) + path);
    }

    public HttpResponse<String> get(String path) {
        return send(HttpRequest.newBuilder(uri(path)).build());
    }

    /** @throws UncheckedIOException the responder does not answer */
    public HttpResponse<String> send(HttpRequest request) {
        try {
            return HTTP.send(request, HttpResponse.BodyHandlers.ofString());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    /** 200 where it can answer requests, 503 where it cannot. */
    public int health() {
        return get(program.health()).statusCode();
    }

    public String healthDetails() {
        return get(program.health()).body();
    }

    /** GET of its faults, or PUT of others where a body is given. */
    HttpResponse<String> faults(String method, String body, String authorization) {
        return send(HttpRequest.newBuilder(uri(program.faults().orElseThrow()))
                .header("Authorization", authorization)
                .header("Content-Type", "application/json")
                .method(method, HttpRequest.BodyPublishers.ofString(body))
                .build());
    }

    HttpResponse<String> putFaults(String body) {
        return faults("PUT", body, "Bearer " + TOKEN);
    }

    /** How many requests had this outcome so far, according to the Prometheus metrics. */
    public int squares(String outcome) {
        return (int) figure("chatterbox_squares_total", Map.of("responder", name, "outcome", outcome));
    }

    /** The value of a metric with exactly these labels, or 0 if there is none. */
    double figure(String metric, Map<String, String> labels) {
        return get(program.metrics())
                .body()
                .lines()
                .filter(line -> line.startsWith(metric + "{"))
                .filter(line -> labels(line).equals(labels))
                .mapToDouble(line -> Double.parseDouble(
                        line.substring(line.lastIndexOf('}') + 1).strip()))
                .findFirst()
                .orElse(0);
    }

    private static Map<String, String> labels(String line) {
        Matcher labels = LABEL.matcher(line);
        return labels.results().collect(Collectors.toMap(label -> label.group(1), label -> label.group(2)));
    }

    /** How many threads it has, where the system says it. */
    int threads() {
        String[] threads = new File("/proc/%d/task".formatted(process.pid())).list();
        return threads == null ? 0 : threads.length;
    }

    /** How many lines of its log hold the text. */
    public long logged(String text) {
        try {
            return Files.readString(process.log(), StandardCharsets.UTF_8)
                    .lines()
                    .filter(line -> line.contains(text))
                    .count();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Asks the process to end, as a terminal or a container does, and waits until it has ended. */
    @Override
    public void close() {
        process.stop(GRACE);
    }
}

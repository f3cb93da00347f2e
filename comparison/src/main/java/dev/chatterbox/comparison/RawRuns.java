package dev.chatterbox.comparison;

import dev.chatterbox.processes.ChildProcess;
import dev.chatterbox.processes.JavaCommand;
import dev.chatterbox.processes.Lifetime;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * Runs the transports' bare clients: the library alone, pipelined, against the same responder and broker. What they reach is
 * the limit of this machine.
 */
final class RawRuns {

    /** That is asked for; a client that cannot carry so many tells how many it does. */
    private static final int IN_FLIGHT = 2048;

    private static final double JVM_START = 2;

    /** Times the window: how long its warm-up lasts at the most, and likely. It ends when the client's JIT is calm. */
    private static final double WARM_UP_AT_MOST = 6;

    private static final double WARM_UP = 3;

    private static final String LAUNCHER = "org.springframework.boot.loader.launch.PropertiesLauncher";

    private final Run run;
    private final Path folder;
    private final Map<String, List<RawLimit.RawRound>> rounds = new TreeMap<>();
    private final Map<String, Integer> inFlight = new HashMap<>();
    private final Map<String, List<String>> reasons = new TreeMap<>();

    /** The one that runs now, for whoever interrupts. */
    private volatile @Nullable ChildProcess current;

    RawRuns(Run run, Path folder) {
        this.run = run;
        this.folder = folder;
    }

    static double seconds(Preset preset) {
        return JVM_START + (WARM_UP + 1) * preset.rawSeconds();
    }

    void run(List<String> transports) {
        for (int n = 1; n <= run.preset.rawRounds(); n++) {
            int round = n;
            for (String name : Schedule.rotated(transports, round - 1)) {
                if (run.interrupted()) {
                    return;
                }
                run.progress(
                        "round %d/%d  %s, bare client".formatted(round, run.preset.rawRounds(), name),
                        seconds(run.preset));
                Target.Transport transport = run.target.transport(name);
                transport.rawClient().ifPresent(client -> run(transport, client, round));
            }
        }
    }

    private void run(Target.Transport transport, Target.RawClient client, int round) {
        ProcessBuilder builder = new ProcessBuilder(JavaCommand.of(List.of(
                        "-Xms512m",
                        "-Xmx512m",
                        "-XX:+UseG1GC",
                        "-cp",
                        transport.responderJar().toString(),
                        "-Dloader.main=" + client.mainClass(),
                        LAUNCHER,
                        "--in-flight",
                        Integer.toString(IN_FLIGHT),
                        "--warm-up-seconds",
                        Double.toString(run.preset.rawSeconds()),
                        "--warm-up-at-most-seconds",
                        Double.toString(WARM_UP_AT_MOST * run.preset.rawSeconds()),
                        "--seconds",
                        Double.toString(run.preset.rawSeconds()))))
                .directory(folder.toFile());
        builder.environment().putAll(client.environment());
        String name = "raw-%s-%d".formatted(transport.name(), round);
        ChildProcess process =
                ChildProcess.start(name, builder, folder.resolve("logs").resolve(name + ".log"), Lifetime.WITH_PARENT);
        current = process;
        try (Events events = new Events(process)) {
            watch(transport, process, events);
        } finally {
            process.stop(Duration.ofSeconds(2));
            current = null;
        }
    }

    private void watch(Target.Transport transport, ChildProcess process, Events events) {
        Snapshot begin = null;
        Snapshot end = null;
        while (true) {
            Optional<JsonNode> event = events.next(30 + (WARM_UP_AT_MOST + 1) * run.preset.rawSeconds());
            if (event.isEmpty()) {
                if (!run.interrupted()) {
                    reason(transport, "the bare client ended without a result; its log is " + process.log());
                }
                return;
            }
            String what = event.get().path("event").asString("");
            switch (what) {
                case "measure" -> begin = Snapshot.of(run.pids(process.pid()));
                case "measured" -> end = Snapshot.of(run.pids(process.pid()));
                case "raw" -> {
                    if (begin != null && end != null) {
                        take(transport, process, event.get(), begin, end);
                    }
                    return;
                }
                default -> {
                    // Of a newer client.
                }
            }
        }
    }

    private void take(Target.Transport transport, ChildProcess process, JsonNode event, Snapshot begin, Snapshot end) {
        double calls = event.path("calls").asDouble(0);
        double seconds = event.path("seconds").asDouble(0);
        for (String trouble : List.of("failed", "wrong")) {
            long count = event.path(trouble).asLong(0);
            if (count > 0) {
                reason(transport, "%s: %d".formatted(trouble, count));
            }
        }
        if (calls <= 0 || seconds <= 0) {
            reason(transport, "no call ended well in the window");
            return;
        }
        inFlight.put(transport.name(), event.path("inFlight").asInt(IN_FLIGHT));
        double perSecond = calls / seconds;
        Map<String, Long> roles = new LinkedHashMap<>();
        roles.put("client", process.pid());
        roles.put(Stage.RESPONDER, transport.responder().pid());
        transport.broker().ifPresent(broker -> roles.put(Stage.BROKER, broker.pid()));
        Map<String, @Nullable Double> cpu = new LinkedHashMap<>();
        roles.forEach((role, pid) -> {
            Double use = end.use(pid, begin);
            cpu.put(role, use == null ? null : Statistics.rounded(use * 1e6 / perSecond));
        });
        rounds.computeIfAbsent(transport.name(), name -> new ArrayList<>())
                .add(new RawLimit.RawRound(Statistics.rounded(perSecond), cpu));
    }

    private void reason(Target.Transport transport, String reason) {
        reasons.computeIfAbsent(transport.name(), name -> new ArrayList<>()).add(reason);
    }

    void interrupt() {
        ChildProcess process = current;
        if (process != null) {
            process.stop(Duration.ofSeconds(2));
        }
    }

    List<RawLimit> results() {
        List<RawLimit> results = new ArrayList<>();
        for (Target.Transport transport : run.target.transports()) {
            List<RawLimit.RawRound> measured = rounds.getOrDefault(transport.name(), List.of());
            List<String> troubles = new ArrayList<>(reasons.getOrDefault(transport.name(), List.of()));
            if (measured.isEmpty() && troubles.isEmpty()) {
                continue;
            }
            String fault = run.faults.get(transport.name());
            if (fault != null) {
                troubles.add("the responder fails on demand: " + fault);
            }
            results.add(RawLimit.of(
                    transport.name(), inFlight.getOrDefault(transport.name(), IN_FLIGHT), measured, troubles));
        }
        return results;
    }
}

package dev.chatterbox.comparison;

import dev.chatterbox.processes.ChildProcess;
import dev.chatterbox.processes.Lifetime;
import dev.chatterbox.processes.clocks.CpuSnapshot;
import dev.chatterbox.results.RawLimit;
import dev.chatterbox.results.Role;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * Runs the rows' bare clients: the library alone, pipelined, against the same responder and broker. What they reach is
 * the limit of this machine.
 */
final class RawRuns {

    private static final double JVM_START = 2;

    /**
     * How long a client's warm-up lasts at the most, and likely, in windows: it ends when its JIT has little left to
     * do. Six of a second ended that of REST too early on a slow machine: it cost 1.5 times what its responder did, and
     * two thirds of it when it was warm.
     */
    private static final double WARM_UP_AT_MOST = 12;

    private static final double WARM_UP = 3;

    /** How long a client tries which number of calls in flight is best, in windows. */
    private static final double SEARCH = 2;

    private final Run run;
    private final Path folder;

    /** By row, the one whose bare client was run. */
    private Map<String, String> shared = Map.of();

    private final Map<String, List<RawLimit.Reached>> rounds = new TreeMap<>();

    /** As the first round of each row has found it; the others are measured with it. */
    private final Map<String, Integer> inFlight = new HashMap<>();

    private final Map<String, Set<String>> reasons = new TreeMap<>();

    /** The process that runs now; read by the thread that interrupts. */
    private volatile @Nullable ChildProcess current;

    RawRuns(Run run, Path folder) {
        this.run = run;
        this.folder = folder;
    }

    /** How long one client takes, about. */
    static double seconds(Preset preset) {
        return JVM_START + (WARM_UP + SEARCH + 1) * preset.raw().seconds();
    }

    /**
     * Rows that vary what is above the library have the same bare client, responder and broker: it is run once for all
     * of them. Over a network none is run: it would show the proxy's limit, and not the library's.
     *
     * @return for each row that has a bare client the first such row, in order
     */
    static Map<String, String> shared(Target target, List<String> rows) {
        Map<List<Object>, String> first = new HashMap<>();
        Map<String, String> shared = new LinkedHashMap<>();
        if (target.network().isPresent()) {
            return shared;
        }
        for (String name : rows) {
            Target.RowTarget row = target.row(name);
            row.rawClient()
                    .ifPresent(client -> shared.put(
                            name, first.computeIfAbsent(List.of(client, row.responder(), row.broker()), key -> name)));
        }
        return shared;
    }

    void run(List<String> rows) {
        shared = shared(run.target, rows);
        List<String> firsts = List.copyOf(new LinkedHashSet<>(shared.values()));
        int all = run.preset.raw().rounds();
        for (int round = 1; round <= all; round++) {
            for (String name : Schedule.rotated(firsts, round - 1)) {
                if (run.interrupted()) {
                    return;
                }
                run.progress("round %d/%d  %s, bare client".formatted(round, all, name), seconds(run.preset));
                Target.RowTarget row = run.target.row(name);
                run(row, row.rawClient().orElseThrow(), round);
            }
        }
    }

    private void run(Target.RowTarget row, Target.RawClient client, int round) {
        double seconds = run.preset.raw().seconds();
        List<String> command = new ArrayList<>(client.command());
        Integer best = inFlight.get(row.row().name());
        if (best != null) {
            command.addAll(List.of("--in-flight", Integer.toString(best)));
        }
        command.addAll(List.of("--warm-up-seconds", Double.toString(seconds)));
        command.addAll(List.of("--warm-up-at-most-seconds", Double.toString(WARM_UP_AT_MOST * seconds)));
        command.addAll(List.of("--seconds", Double.toString(seconds)));
        ProcessBuilder builder = new ProcessBuilder(command).directory(folder.toFile());
        builder.environment().putAll(client.environment());
        String name = "raw-%s-%d".formatted(row.row().name(), round);
        ChildProcess process =
                ChildProcess.start(name, builder, folder.resolve("logs").resolve(name + ".log"), Lifetime.WITH_PARENT);
        current = process;
        try (Events events = new Events(process)) {
            watch(row, process, events);
        } finally {
            process.stop(Duration.ofSeconds(2));
            current = null;
        }
    }

    private void watch(Target.RowTarget row, ChildProcess process, Events events) {
        WindowFigures.Edge begin = null;
        WindowFigures.Edge end = null;
        while (true) {
            Optional<JsonNode> event =
                    events.next(30 + (WARM_UP_AT_MOST + 1) * run.preset.raw().seconds());
            if (event.isEmpty()) {
                if (!run.interrupted()) {
                    reason(row, "the bare client ended without a result; its log is " + process.log());
                }
                return;
            }
            switch (event.get().path("event").asString("")) {
                case "measure" -> {
                    ResponderReading responder = responder(row);
                    begin = new WindowFigures.Edge(run.snapshot(process.pid()), null, responder);
                }
                case "measured" -> {
                    CpuSnapshot snapshot = run.snapshot(process.pid());
                    end = new WindowFigures.Edge(snapshot, null, responder(row));
                }
                case "raw" -> {
                    if (begin != null && end != null) {
                        take(row, process.pid(), event.get(), begin, end);
                    }
                    return;
                }
                default -> {
                    // Of a newer client.
                }
            }
        }
    }

    /** For its faults: as in the windows of the cells, nothing is asked within the window. */
    private static @Nullable ResponderReading responder(Target.RowTarget row) {
        try {
            return Reading.responder(row);
        } catch (IOException e) {
            return null;
        }
    }

    private void take(
            Target.RowTarget row, long pid, JsonNode event, WindowFigures.Edge begin, WindowFigures.Edge end) {
        double calls = event.path("calls").asDouble(0);
        double seconds = event.path("seconds").asDouble(0);
        run.noteFaults(begin.responder());
        run.noteFaults(end.responder());
        Gates.faults(begin.responder(), end.responder()).forEach(fault -> reason(row, fault));
        for (String trouble : List.of("failed", "wrong")) {
            long count = event.path(trouble).asLong(0);
            if (count > 0) {
                reason(row, "%s: %d".formatted(trouble, count));
            }
        }
        if (calls <= 0 || seconds <= 0) {
            reason(row, "no call ended well in the window");
            return;
        }
        inFlight.put(row.row().name(), event.path("inFlight").asInt(0));
        double perSecond = calls / seconds;
        Map<String, Long> roles = new LinkedHashMap<>();
        roles.put(Role.CLIENT, pid);
        row.responder().ifPresent(responder -> roles.put(Role.RESPONDER, responder.pid()));
        row.broker().ifPresent(broker -> roles.put(Role.BROKER, broker.pid()));
        Map<String, @Nullable Double> cpu = new LinkedHashMap<>();
        roles.forEach((role, process) ->
                cpu.put(role, WindowFigures.microsPerCall(process, perSecond, begin.snapshot(), end.snapshot())));
        rounds.computeIfAbsent(row.row().name(), name -> new ArrayList<>())
                .add(new RawLimit.Reached(Statistics.rounded(perSecond), cpu, Statistics.sum(cpu.values())));
    }

    private void reason(Target.RowTarget row, String reason) {
        reasons.computeIfAbsent(row.row().name(), name -> new LinkedHashSet<>()).add(reason);
    }

    /** Ends the client that runs now; from any thread. */
    void interrupt() {
        ChildProcess process = current;
        if (process != null) {
            process.stop(Duration.ofSeconds(2));
        }
    }

    /** By row. */
    List<RawLimit> results() {
        return new TreeMap<>(shared)
                .entrySet().stream()
                        .filter(row -> rounds.containsKey(row.getValue()) || reasons.containsKey(row.getValue()))
                        .map(row -> Medians.rawLimit(
                                row.getKey(),
                                inFlight.getOrDefault(row.getValue(), 0),
                                rounds.getOrDefault(row.getValue(), List.of()),
                                List.copyOf(reasons.getOrDefault(row.getValue(), Set.of()))))
                        .toList();
    }
}

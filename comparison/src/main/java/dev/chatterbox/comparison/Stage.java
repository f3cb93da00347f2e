package dev.chatterbox.comparison;

import dev.chatterbox.processes.ChildProcess;
import dev.chatterbox.cli.CliException;
import java.io.IOException;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * One run of the generator through a schedule. At the edges of each measured window it reads the CPU clocks first where the
 * window ends and last where it begins, so that asking the services for their figures costs no CPU within.
 */
final class Stage {

    static final String GENERATOR = "generator";
    static final String AGGREGATOR = "aggregator";
    static final String RESPONDER = "responder";
    static final String BROKER = "broker";

    private final Run run;
    private final List<Slot> slots;
    private final Generator generator;
    private final ChildProcess process;
    private final BiConsumer<Slot, Round> measured;
    private final FirstWarmUp firstWarmUp;

    /** The last reading of each transport; no cell was under way on it. */
    private final Map<String, Reading> counted = new HashMap<>();

    private int next;
    private boolean warming;
    private @Nullable Edge begin;
    private @Nullable Edge end;

    private record Edge(Snapshot snapshot, @Nullable Reading reading) {}

    /** @param measured takes each round when it is judged */
    Stage(Run run, List<Slot> slots, Generator generator, BiConsumer<Slot, Round> measured) {
        this.run = run;
        this.slots = slots;
        this.generator = generator;
        this.process = generator.process();
        this.measured = measured;
        this.firstWarmUp = new FirstWarmUp(run.preset.firstWarmUp());
    }

    /** Returns when the generator has ended, or when the run was interrupted. */
    void drive() {
        slots.forEach(slot -> countFromHere(slot.cell().transport()));
        try (Events events = new Events(process);
                MemoryWatch memory = new MemoryWatch()) {
            boolean done = false;
            while (!done && !run.interrupted()) {
                JsonNode event = next(events);
                if (event == null) {
                    // Ctrl-C reaches every process of the terminal: the generator may know of it before we do.
                    run.pause(0.3);
                    break;
                }
                done = handle(event, memory);
            }
            if (next < slots.size()) {
                if (!run.interrupted()) {
                    run.counts.incomplete();
                    throw broken();
                }
            }
        }
    }

    /** @return null if the generator has ended, says nothing any more, or the run was interrupted */
    private @Nullable JsonNode next(Events events) {
        double patience = run.patience(next < slots.size() ? slots.get(next) : null);
        long deadline = System.nanoTime() + (long) (patience * 1e9);
        while (true) {
            Optional<JsonNode> event = events.next(warming ? FirstWarmUp.WINDOW_SECONDS : patience);
            if (event.isPresent()) {
                return event.get();
            }
            if (!warming || run.interrupted() || !process.isAlive() || System.nanoTime() > deadline) {
                return null;
            }
            if (firstWarmUp.isOver()) {
                generator.warm(slots.get(next));
                warming = false;
            }
        }
    }

    private CliException broken() {
        String doing = next < slots.size() ? slots.get(next).id() : "the end";
        return process.isAlive()
                ? new CliException(
                        "The generator says nothing any more, at %s. Its log: %s".formatted(doing, process.log()))
                : new CliException("The generator has ended at %s. The last lines of %s:%n  %s"
                        .formatted(doing, process.log(), String.join("\n  ", process.tail(10))));
    }

    private boolean handle(JsonNode event, MemoryWatch memory) {
        String what = event.path("event").asString("");
        if (what.equals("ready")) {
            run.idle.computeIfAbsent(GENERATOR, role -> run.resident(process.pid()));
            return false;
        }
        if (what.equals("done")) {
            return true;
        }
        if (next >= slots.size()
                || !slots.get(next).id().equals(event.path("id").asString(""))) {
            return false;
        }
        Slot slot = slots.get(next);
        switch (what) {
            case "warmup" -> {
                run.progress(slot, "warming up", true);
                if (slot.isFirstWarmUp() && !slot.cell().isOpen()) {
                    firstWarmUp.begin(slot.cell().transport(), roles(slot).values(), laterFirstWarmUps(slot));
                    warming = true;
                }
            }
            case "measure" -> {
                warming = false;
                run.progress(slot, "measuring", false);
                Reading reading = read(slot);
                memory.start(roles(slot).values());
                begin = new Edge(snapshot(), reading);
            }
            case "measured" -> {
                Snapshot snapshot = snapshot();
                end = new Edge(snapshot, read(slot));
                run.progress(slot, "draining", false);
            }
            case "cell" -> {
                finish(slot, event, memory);
                next++;
                if (next < slots.size()) {
                    // Nothing runs now: if its last reading failed, this one is as good.
                    countFromHere(slots.get(next).cell().transport());
                }
                generator.next(slot);
            }
            default -> {
                // Of a newer generator.
            }
        }
        return false;
    }

    private void finish(Slot slot, JsonNode event, MemoryWatch memory) {
        Edge begin = this.begin;
        Edge end = this.end;
        if (begin == null || end == null) {
            throw new CliException(
                    "The generator told of no window in %s. Its log: %s".formatted(slot.id(), process.log()));
        }
        this.begin = null;
        this.end = null;
        Round round = round(slot, event, begin, end, memory);
        for (String reason : count(slot.cell(), event)) {
            round = round.invalid(reason);
        }
        measured.accept(slot, round);
    }

    private void countFromHere(String transport) {
        if (!counted.containsKey(transport)) {
            Reading now = read(transport);
            if (now != null) {
                counted.put(transport, now);
            }
        }
    }

    private int laterFirstWarmUps(Slot slot) {
        return (int) slots.subList(next + 1, slots.size()).stream()
                .filter(later -> later.isFirstWarmUp()
                        && later.cell().transport().equals(slot.cell().transport()))
                .count();
    }

    /** The generator waits for our answer, so nothing is under way, and the transport's counts are those of the cell. */
    private List<String> count(Cell cell, JsonNode event) {
        String transport = cell.transport();
        long requests = event.path("totalRequests").asLong(0);
        long calls = requests * cell.calls();
        run.counts.add(transport, requests, calls);
        Reading before = counted.remove(transport);
        Reading now = settled(transport, before, calls);
        if (now != null) {
            counted.put(transport, now);
        }
        Reading difference = now == null || before == null ? null : now.since(before);
        if (difference == null) {
            run.counts.incomplete();
        } else {
            run.counts.add(transport, difference);
        }
        return Gates.counts(calls, event.path("totalFailed").asLong(0), difference);
    }

    /** The services count a call a moment before or after its reply is seen: if something is missing, they are asked again. */
    private @Nullable Reading settled(String transport, @Nullable Reading before, long calls) {
        Reading now = read(transport);
        for (int again = 0; again < 3 && !isComplete(now, before, calls); again++) {
            run.pause(0.1);
            now = read(transport);
        }
        return now;
    }

    private static boolean isComplete(@Nullable Reading now, @Nullable Reading before, long calls) {
        if (now == null || before == null) {
            return now != null;
        }
        Reading since = now.since(before);
        return since.calls() == calls && since.squares() == calls;
    }

    private Round round(Slot slot, JsonNode event, Edge begin, Edge end, MemoryWatch memory) {
        Cell cell = slot.cell();
        Reading window = begin.reading() == null || end.reading() == null
                ? null
                : end.reading().since(begin.reading());
        double right = window == null ? 0 : window.callsOf(Reading.OK);
        Double callsPerSecond = window == null || window.uptime() <= 0 ? null : Double.valueOf(right / window.uptime());
        Map<String, @Nullable Double> cpu = new LinkedHashMap<>();
        Map<String, Round.MemoryUse> resident = new LinkedHashMap<>();
        roles(slot).forEach((role, pid) -> {
            Double use = end.snapshot().use(pid, begin.snapshot());
            cpu.put(
                    role,
                    use == null || callsPerSecond == null ? null : Statistics.rounded(use * 1e6 / callsPerSecond));
            resident.put(
                    role,
                    new Round.MemoryUse(run.idle.get(role.equals(GENERATOR) ? role : run.key(pid)), memory.peak(pid)));
        });
        Map<String, @Nullable Double> allocated = new LinkedHashMap<>();
        allocated.put(AGGREGATOR, perCall(window == null ? null : window.allocatedByAggregator(), right));
        allocated.put(RESPONDER, perCall(window == null ? null : window.allocatedByResponder(), right));
        Double otherLoad = Statistics.rounded(end.snapshot().otherLoad(begin.snapshot()));
        List<String> warnings = Gates.warnings(cell, event, otherLoad);
        if (slot.round() == 1) {
            firstWarmUp
                    .restless(cell.transport())
                    .ifPresent(share ->
                            warnings.add("the JITs were still at work when the first warm-up ended (%s of the CPU time)"
                                    .formatted(Format.percent(share))));
        }
        List<String> reasons = slot.isFirstWarmUp()
                ? Gates.failed(event)
                : Gates.reasons(event, window, run.faults.get(cell.transport()));
        JsonNode warmUp = event.path("warmUp");
        return new Round(
                slot.round(),
                reasons.isEmpty(),
                reasons,
                warnings,
                event.path("seconds").asDouble(0),
                event.path("requests").asLong(0),
                Math.round(right),
                event.path("failed").asLong(0),
                Gates.failures(event, "failures"),
                callsPerSecond == null ? null : Statistics.rounded(callsPerSecond / cell.calls()),
                Statistics.rounded(callsPerSecond),
                requestLatency(event),
                window == null ? Latency.NONE : Latency.of(window.latency(), window.longest()),
                window == null ? Map.of() : window.whole(),
                window == null ? 0 : Math.round(window.unmatched()),
                cpu,
                allocated,
                resident,
                new Round.Warmth(
                        warmUp.path("seconds").asDouble(0),
                        warmUp.path("stable").asBoolean(false)),
                cell.isOpen() ? Statistics.rounded(event.path("rate").asDouble(0)) : null,
                otherLoad);
    }

    /** Of requests that ended in the window, of which there may be none: a request of many calls can last longer. */
    private static Latency requestLatency(JsonNode event) {
        return event.path("requests").asLong(0) + event.path("failed").asLong(0) == 0
                ? Latency.NONE
                : Latency.of(event.path("latency"));
    }

    private static @Nullable Double perCall(@Nullable Double bytes, double calls) {
        // Less than nothing: a collection had emptied Eden and was not counted yet.
        return bytes == null || bytes < 0 || calls <= 0 ? null : Statistics.rounded(bytes / calls);
    }

    private @Nullable Reading read(Slot slot) {
        return read(slot.cell().transport());
    }

    private @Nullable Reading read(String transport) {
        try {
            return Reading.take(run.target, transport);
        } catch (IOException e) {
            return null;
        }
    }

    private Snapshot snapshot() {
        return Snapshot.of(run.pids(process.pid()));
    }

    private Map<String, Long> roles(Slot slot) {
        Target.Transport transport = run.target.transport(slot.cell().transport());
        Map<String, Long> roles = new LinkedHashMap<>();
        roles.put(GENERATOR, process.pid());
        roles.put(AGGREGATOR, run.target.aggregator().pid());
        roles.put(RESPONDER, transport.responder().pid());
        transport.broker().ifPresent(broker -> roles.put(BROKER, broker.pid()));
        return roles;
    }
}

package dev.chatterbox.comparison;

import dev.chatterbox.processes.ChildProcess;
import dev.chatterbox.processes.clocks.CpuSnapshot;
import dev.chatterbox.results.Figures;
import dev.chatterbox.results.Role;
import dev.chatterbox.results.Round;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * One run of the generator through a schedule. At the edges of each measured window it reads the CPU clocks first
 * where the window ends and last where it begins, so that asking the services for their figures costs no CPU within.
 */
final class Stage {

    private final Run run;
    private final List<Slot> slots;
    private final Generator generator;
    private final ChildProcess process;
    private final BiConsumer<Slot, MeasuredRound> measured;
    private final BiConsumer<Slot, String> warmedUp;
    private final FirstWarmUp firstWarmUp;
    private final LastReadings lastReadings = new LastReadings();

    /** The slot that the generator is at, or comes to next. */
    private int next;

    private boolean inFirstWarmUp;
    private WindowFigures.@Nullable Edge begin;
    private WindowFigures.@Nullable Edge end;

    /**
     * @param measured takes each round when it is judged
     * @param warmedUp takes how a slot of the first warm-up ended, in words
     */
    Stage(
            Run run,
            List<Slot> slots,
            Generator generator,
            BiConsumer<Slot, MeasuredRound> measured,
            BiConsumer<Slot, String> warmedUp) {
        this.run = run;
        this.slots = slots;
        this.generator = generator;
        this.process = generator.process();
        this.measured = measured;
        this.warmedUp = warmedUp;
        this.firstWarmUp = run.firstWarmUp;
    }

    /**
     * Returns when the generator has ended, or when the run was interrupted.
     *
     * @throws ComparisonException the generator ended early, or tells nothing any more
     */
    void drive() {
        slots.forEach(this::countFromHere);
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
            if (next < slots.size() && !run.interrupted()) {
                run.counts.incomplete();
                throw broken();
            }
        }
    }

    /** @return null if the generator has ended, says nothing any more, or the run was interrupted */
    private @Nullable JsonNode next(Events events) {
        double patience = run.patience(next < slots.size() ? slots.get(next) : null);
        long deadline = System.nanoTime() + (long) (patience * 1e9);
        while (true) {
            Optional<JsonNode> event = events.next(inFirstWarmUp ? FirstWarmUp.WINDOW_SECONDS : patience);
            if (event.isPresent()) {
                return event.get();
            }
            if (!inFirstWarmUp || run.interrupted() || !process.isAlive() || System.nanoTime() > deadline) {
                return null;
            }
            firstWarmUp.isOver().ifPresent(words -> {
                generator.warm(slots.get(next));
                inFirstWarmUp = false;
                warmedUp.accept(slots.get(next), words);
            });
        }
    }

    private ComparisonException broken() {
        String doing = slots.get(next).id();
        return process.isAlive()
                ? new ComparisonException(
                        "The generator says nothing any more, at '%s'. Its log: %s".formatted(doing, process.log()))
                : new ComparisonException("The generator has ended at '%s'. The last lines of %s:%n  %s"
                        .formatted(doing, process.log(), String.join("\n  ", process.tail(10))));
    }

    private boolean handle(JsonNode event, MemoryWatch memory) {
        String what = event.path("event").asString("");
        if (what.equals("ready")) {
            run.isIdle(process.pid());
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
                if (slot.watched()) {
                    Map<String, Long> roles = roles(slot);
                    // Nothing of it gets warm.
                    roles.remove(Role.NETWORK);
                    firstWarmUp.begin(
                            slot,
                            roles.values(),
                            Role.SYSTEM.stream()
                                    .filter(roles::containsKey)
                                    .map(roles::get)
                                    .toList(),
                            () -> calls(slot),
                            laterWatched(slot));
                    inFirstWarmUp = true;
                }
            }
            case "measure" -> {
                inFirstWarmUp = false;
                run.progress(slot, "measuring", false);
                Reading reading = readWithLatency(slot);
                memory.start(roles(slot).values());
                if (!slot.isFirstWarmUp()) {
                    run.roundTrips.start(slot.cell());
                }
                begin = WindowFigures.Edge.of(run.snapshot(process.pid()), reading);
            }
            case "measured" -> {
                CpuSnapshot snapshot = run.snapshot(process.pid());
                run.roundTrips.stop();
                end = WindowFigures.Edge.of(snapshot, readWithLatency(slot));
                run.progress(slot, "draining", false);
            }
            case "ended" -> {
                finish(slot, GeneratorFigures.of(event), memory);
                next++;
                if (slot.isFirstWarmUp()
                        && next < slots.size()
                        && !slots.get(next).isFirstWarmUp()) {
                    run.measureIdle(Optional.of(process.pid()));
                }
                if (next < slots.size()) {
                    // Nothing is under way now: if the row's last reading failed, this one is as good.
                    countFromHere(slots.get(next));
                    run.setDistance(slots.get(next).cell().workload().distanceMillis());
                }
                generator.next(slot);
            }
            default -> {
                // Of a newer generator.
            }
        }
        return false;
    }

    private List<Slot> laterWatched(Slot slot) {
        return slots.subList(next + 1, slots.size()).stream()
                .filter(later ->
                        later.watched() && later.cell().row().equals(slot.cell().row()))
                .toList();
    }

    private void finish(Slot slot, GeneratorFigures figures, MemoryWatch memory) {
        if (begin == null || end == null) {
            throw new ComparisonException(
                    "The generator told of no window in '%s'. Its log: %s".formatted(slot.id(), process.log()));
        }
        WindowFigures window = new WindowFigures(slot.cell().workload(), figures, begin, end, roles(slot));
        begin = null;
        end = null;
        run.noteFaults(window.begin().responder());
        run.noteFaults(window.end().responder());
        Round round = round(slot, window, memory);
        measured.accept(
                slot,
                new MeasuredRound(round, window.requestLatency(), window.callLatency())
                        .withReasons(count(slot, figures)));
    }

    private Round round(Slot slot, WindowFigures window, MemoryWatch memory) {
        Map<String, Figures.MemoryUse> resident = new LinkedHashMap<>();
        window.roles()
                .forEach(
                        (role, pid) -> resident.put(role, new Figures.MemoryUse(run.idleBytes(pid), memory.peak(pid))));
        List<String> warnings = Gates.warnings(slot.cell(), window.generator(), window.otherLoad());
        List<String> reasons = new ArrayList<>();
        if (slot.isFirstWarmUp()) {
            reasons.addAll(Gates.failed(window.generator()));
        } else {
            reasons.addAll(Gates.faults(window.begin().responder(), window.end().responder()));
            reasons.addAll(Gates.reasons(window.generator(), window.counted()));
        }
        return Round.of(slot.round(), reasons, warnings, window.window(), window.figures(resident));
    }

    /**
     * The generator waits for our answer, so nothing is under way, and what was counted since the last reading is the
     * cell's.
     */
    private List<String> count(Slot slot, GeneratorFigures figures) {
        long calls = figures.totalRequests() * slot.cell().workload().calls();
        run.counts.add(slot.cell().row(), figures.totalRequests(), calls);
        Reading now = settled(slot, calls);
        Reading counted = now == null ? null : lastReadings.since(now);
        if (counted == null) {
            run.counts.incomplete();
        } else {
            run.counts.add(counted);
        }
        if (now == null) {
            lastReadings.forget(row(slot));
        } else {
            lastReadings.keep(now);
        }
        return Gates.counts(slot.cell().workload(), figures.totalRequests(), figures.totalFailed(), counted);
    }

    private void countFromHere(Slot slot) {
        if (!lastReadings.has(row(slot))) {
            Reading now = read(slot);
            if (now != null) {
                lastReadings.keep(now);
            }
        }
    }

    /**
     * The services count a call a moment before or after its reply is seen: if something is missing, they are asked
     * again.
     */
    private @Nullable Reading settled(Slot slot, long calls) {
        Reading now = read(slot);
        for (int again = 0; again < 3 && !isComplete(now, calls); again++) {
            run.pause(0.1);
            now = read(slot);
        }
        return now;
    }

    private boolean isComplete(@Nullable Reading now, long calls) {
        Reading since = now == null ? null : lastReadings.since(now);
        if (since == null) {
            return now != null;
        }
        return since.aggregator().calls() == calls
                && (since.responder() == null || since.responder().squares() == calls);
    }

    private double calls(Slot slot) {
        Reading now = read(slot);
        return now == null ? Double.NaN : now.aggregator().calls();
    }

    private @Nullable Reading readWithLatency(Slot slot) {
        try {
            return Reading.takeWithLatency(run.target, slot.cell().row());
        } catch (IOException e) {
            return null;
        }
    }

    private @Nullable Reading read(Slot slot) {
        try {
            return Reading.take(run.target, slot.cell().row());
        } catch (IOException e) {
            return null;
        }
    }

    private Map<String, Long> roles(Slot slot) {
        Map<String, Long> roles = new LinkedHashMap<>();
        roles.put(Role.GENERATOR, process.pid());
        roles.put(Role.AGGREGATOR, run.target.aggregator().pid());
        row(slot).responder().ifPresent(responder -> roles.put(Role.RESPONDER, responder.pid()));
        row(slot).broker().ifPresent(broker -> roles.put(Role.BROKER, broker.pid()));
        run.target
                .network()
                .ifPresent(network -> roles.put(Role.NETWORK, network.process().pid()));
        return roles;
    }

    private Target.RowTarget row(Slot slot) {
        return run.target.row(slot.cell().row());
    }
}

package dev.chatterbox.resilience;

import dev.chatterbox.comparison.QueueWorkers;
import dev.chatterbox.comparison.environment.EnvironmentProbe;
import dev.chatterbox.processes.ProcessMemory;
import dev.chatterbox.results.Environment;
import dev.chatterbox.results.QueueFigures;
import dev.chatterbox.rows.Outlives;
import dev.chatterbox.stack.Member;
import dev.chatterbox.stack.StackException;
import dev.chatterbox.stack.Steps;
import dev.chatterbox.stack.Target;
import dev.chatterbox.stack.Testbed;
import dev.chatterbox.stack.Target;
import dev.chatterbox.workloads.Load;
import dev.chatterbox.workloads.Slice;
import dev.chatterbox.workloads.Workload;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDateTime;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/**
 * Holds the consumers of each row's queue while messages are published, and looks at the broker until all are consumed:
 * at half of the rate that the row can, and at one rate that every row can. For one thread.
 */
public final class Backlogs {

    /** So many messages are published before a rate is known. */
    private static final int FEWEST = 20_000;

    /** A run that shows what a row can takes about so long. */
    private static final double SECONDS = 5;

    /** Messages are published for so many times as long as the consumers are held: a backlog takes as long to go. */
    private static final double LENGTH = 2.5;

    private static final int SAMPLE_MILLIS = 500;

    private static final int LOOK_MILLIS = 100;

    /** A rate is one of requests of so many messages. */
    private static final int CALLS = 100;

    /** So many seconds longer than the consumers are held nothing may happen. */
    private static final int PATIENCE_SECONDS = 30;

    private final Testbed testbed;
    private final Plan plan;
    private final Steps steps;
    private final LocalDateTime started = LocalDateTime.now();
    private final Environment environment;

    private final Target target;
    private final List<BacklogResult> measured = new ArrayList<>();

    /**
     * What is to be done.
     *
     * @param rows names of rows; those without one-way messages are left out
     * @param seconds for which the consumers are held
     * @param payload bytes of a message
     * @param bytes the most that all payloads of a run may have
     */
    public record Plan(List<String> rows, int seconds, int payload, long bytes) {}

    public Backlogs(Testbed testbed, Plan plan, Steps steps) {
        this.testbed = testbed;
        target = testbed.target();
        this.plan = plan;
        this.steps = steps;
        environment = EnvironmentProbe.of(
                target,
                testbed.stack().repository().loadTests(),
                testbed.stack().repository().root());
    }

    private List<Target.RowTarget> rows() {
        return QueueCounts.rows(target, plan.rows());
    }

    /** The approximate duration. */
    public double seconds() {
        return rows().size() * (3 * SECONDS + 2 * (LENGTH + 0.5) * plan.seconds());
    }

    /** The results so far. */
    public BacklogResults results(String command) {
        return new BacklogResults(command, started, environment, List.copyOf(measured));
    }

    /**
     * Runs, and prints a line about each backlog when it is gone. If a run fails, the next one is made all the same.
     *
     * @throws InterruptedException the run was interrupted; the results so far are kept
     */
    public void run() throws InterruptedException {
        Map<String, Integer> rates = new LinkedHashMap<>();
        for (Target.RowTarget row : rows()) {
            String name = row.row().name();
            steps.progress("… %s: what its queue can".formatted(name));
            Attempt.failure(() -> rates.put(name, (int) Math.max(1, capacity(name) / 2)))
                    .ifPresent(why -> steps.line("%s: %s".formatted(name, why)));
        }
        int common = rates.values().stream().mapToInt(Integer::intValue).min().orElse(0);
        for (Map.Entry<String, Integer> rate : rates.entrySet()) {
            for (int one : new TreeSet<>(List.of(rate.getValue(), common)).descendingSet()) {
                keep(rate.getKey(), one);
            }
        }
    }

    private void keep(String name, int rate) throws InterruptedException {
        steps.progress("… %s: a backlog of %,d messages a second".formatted(name, rate));
        Attempt.failure(() -> {
                    BacklogResult result = measure(target.row(name), rate);
                    measured.add(result);
                    steps.line(BacklogTables.line(result));
                })
                .ifPresent(why -> steps.line("✗ %s, %,d messages a second: %s".formatted(name, rate, why)));
    }

    private int bounded(double messages) {
        long most = Math.min(QueueCounts.MOST, plan.bytes() / Math.max(1, plan.payload()));
        return (int) Math.max(1, Math.min(most, messages) / CALLS) * CALLS;
    }

    /** Messages a second that the row's programs can publish and consume. */
    private double capacity(String name) throws IOException {
        Target.RowTarget row = target.row(name);
        double perSecond = 0;
        int messages = bounded(FEWEST);
        try (QueueWorkers programs = QueueCounts.programs(row, folder(), List.of())) {
            for (int i = 0; i < 3; i++) {
                QueueFigures counts =
                        QueueCounts.counts(programs, QueueCounts.slice(row, messages, "payload=" + plan.payload()));
                perSecond = messages / Math.max(0.001, counts.consumeSeconds());
                messages = bounded(perSecond * SECONDS);
            }
        }
        return perSecond;
    }

    private Path folder() {
        return testbed.stack().directory();
    }

    private BacklogResult measure(Target.RowTarget row, int rate) throws IOException, InterruptedException {
        int messages = bounded(rate * LENGTH * plan.seconds());
        requireDisk(messages);
        Workload workload = Workload.parse("queue calls=%d users=1 payload=%d".formatted(CALLS, plan.payload()))
                .under(new Load.Rate((double) rate / CALLS));
        Slice slice = new Slice("backlog", row.row().name(), workload, messages / CALLS, 0);
        // What nobody acknowledges must not wait for consumers that are held.
        List<String> arguments = List.of("--window=0", "--patience=" + (plan.seconds() + PATIENCE_SECONDS));
        List<BacklogResult.Sample> samples = new ArrayList<>();
        BacklogResult.Sample before = sample(row, 0);
        try (QueueWorkers programs = QueueCounts.programs(row, folder(), arguments)) {
            programs.prepare(slice);
            programs.hold();
            programs.begin(slice);
            Backlog backlog = new Backlog(rate, programs.produced());
            CompletableFuture<QueueFigures> counts = CompletableFuture.supplyAsync(() -> {
                try {
                    return QueueCounts.result(programs, slice);
                } catch (IOException e) {
                    throw new UncheckedIOException(e);
                }
            });
            long start = System.nanoTime();
            boolean held = true;
            while (!counts.isDone()) {
                TimeUnit.MILLISECONDS.sleep(LOOK_MILLIS);
                double seconds = (System.nanoTime() - start) / 1e9;
                if (held && seconds >= plan.seconds()) {
                    held = false;
                    backlog.look(programs.progress(), false);
                    programs.resume();
                }
                backlog.look(programs.progress(), held);
                if (seconds * 1e3 > samples.size() * SAMPLE_MILLIS) {
                    samples.add(sample(row, seconds));
                }
            }
            backlog.end(programs.progress());
            QueueFigures measured = counts.join();
            return BacklogTables.result(
                    row.row(), rate, messages, measured, backlog, before, samples, missed(row, measured));
        }
    }

    private void requireDisk(int messages) throws IOException {
        long needed = 2L * messages * plan.payload();
        long free = Files.getFileStore(testbed.stack().directory()).getUsableSpace();
        if (free < needed) {
            throw new StackException(
                    "%,d messages of %d bytes need %,d MB of disk, twice their size, and %,d MB are free."
                            .formatted(messages, plan.payload(), needed >> 20, free >> 20));
        }
    }

    private BacklogResult.Sample sample(Target.RowTarget row, double seconds) {
        long memory = 0;
        long disk = 0;
        for (Member broker : row.brokers()) {
            memory += ProcessMemory.resident(broker.pid()).orElse(0L);
            disk += used(testbed.stack().directory().resolve(broker.name()));
        }
        return new BacklogResult.Sample(seconds, memory, disk);
    }

    /** What a folder takes on the disk, as du says it; 0 if it cannot say it. Files may go away meanwhile. */
    private static long used(Path folder) {
        try {
            Process du = new ProcessBuilder("du", "-sk", folder.toString())
                    .redirectError(ProcessBuilder.Redirect.DISCARD)
                    .start();
            String text = new String(du.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            du.waitFor();
            return text.isBlank() ? 0 : Long.parseLong(text.strip().split("\\s")[0]) << 10;
        } catch (IOException e) {
            return 0;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return 0;
        }
    }

    private static List<String> missed(Target.RowTarget row, QueueFigures counts) {
        List<String> missed = new ArrayList<>();
        if (row.row().outlives() == Outlives.NOTHING) {
            return missed;
        }
        if (!counts.end().equals(QueueFigures.COMPLETE)) {
            missed.add("it ended as " + counts.end());
        }
        if (counts.ended().containsKey(QueueFigures.WRONG_SUM)) {
            missed.add("the sum of the squares is not that of the consumed numbers");
        }
        if (counts.lost() > 0) {
            missed.add("%,d acknowledged messages are lost".formatted(counts.lost()));
        }
        return missed;
    }
}

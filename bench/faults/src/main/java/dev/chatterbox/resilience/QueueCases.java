package dev.chatterbox.resilience;

import dev.chatterbox.comparison.QueueWorkers;
import dev.chatterbox.control.StackFaults;
import dev.chatterbox.network.Toxiproxy;
import dev.chatterbox.results.QueueFigures;
import dev.chatterbox.rows.Row;
import dev.chatterbox.stack.StackException;
import dev.chatterbox.stack.Steps;
import dev.chatterbox.stack.Target;
import dev.chatterbox.stack.Testbed;
import dev.chatterbox.stack.Target;
import dev.chatterbox.workloads.Slice;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;

/**
 * Breaks something while one-way messages are on their way, and counts what is lost and doubled: each case several times
 * on each row that has such messages. For one thread.
 */
public final class QueueCases {

    private static final int RUNS = 3;
    private static final int FEWEST = 20_000;

    /** How long an undisturbed run should take, so that something can break in the middle. */
    private static final double SECONDS = 12;

    private final StackFaults faults;
    private final ResiliencePlan plan;
    private final Steps steps;
    private final Target target;
    private final Toxiproxy network;
    private final Path folder;
    private final List<QueueCaseResult> measured = new ArrayList<>();

    /**
     * What a row's queue can.
     *
     * @param messages of a run
     * @param seconds that so many messages take undisturbed
     */
    private record Size(int messages, double seconds) {}

    /**
     * @param testbed a stack with a network
     * @param target the testbed's
     */
    public QueueCases(Testbed testbed, Target target, StackFaults faults, ResiliencePlan plan, Steps steps) {
        this.faults = faults;
        this.plan = plan;
        this.steps = steps;
        this.target = target;
        folder = testbed.stack().directory();
        network = testbed.network().orElseThrow(() -> new StackException("The stack has no network."));
    }

    private List<QueueCase> chosen() {
        return QueueCase.named(plan.cases());
    }

    private List<Target.RowTarget> rows() {
        return QueueCounts.rows(target, plan.rows());
    }

    /** The approximate duration. */
    public double seconds() {
        return rows().size() * chosen().size() * RUNS * 2.5 * SECONDS;
    }

    /** The results so far. */
    List<QueueCaseResult> measured() {
        return List.copyOf(measured);
    }

    /**
     * Runs, and prints a line about each run when it is done. If a run fails, the next one is made all the same.
     *
     * @throws InterruptedException the run was interrupted; the results so far are kept
     */
    public void run() throws InterruptedException {
        for (Target.RowTarget row : chosen().isEmpty() ? List.<Target.RowTarget>of() : rows()) {
            String name = row.row().name();
            Map<String, Size> sizes = new HashMap<>();
            for (QueueCase one : chosen()) {
                if (!sizes.containsKey(one.workload)) {
                    steps.progress("… %s: what its queue can".formatted(name));
                    Attempt.failure(() -> sizes.put(one.workload, size(row, one)))
                            .ifPresent(
                                    why -> steps.line("%s: a queue of %,d messages: %s".formatted(name, FEWEST, why)));
                }
                Size size = sizes.getOrDefault(one.workload, new Size(FEWEST, SECONDS));
                for (int run = 1; run <= RUNS; run++) {
                    int number = run;
                    steps.progress("… %s: %s, %d of %d".formatted(name, one.title, run, RUNS));
                    Attempt.failure(() -> keep(measure(row, one, size, number)))
                            .ifPresent(why -> keep(QueueCaseResult.failed(name, one, number, size.messages, why)));
                    Attempt.failure(() -> faults.heal(Steps.SILENT)).ifPresent(steps::line);
                }
            }
        }
    }

    private void keep(QueueCaseResult result) {
        measured.add(result);
        steps.line(ResilienceTables.line(result));
    }

    /** Finds how many messages take so long that something can break meanwhile: a short run has other costs. */
    private Size size(Target.RowTarget row, QueueCase one) throws IOException {
        int messages = FEWEST;
        double seconds = SECONDS;
        try (QueueWorkers programs = QueueCounts.programs(row, folder, List.of())) {
            for (int i = 0; i < 4; i++) {
                seconds = QueueCounts.counts(programs, QueueCounts.slice(row, messages, one.workload))
                        .consumeSeconds();
                int next = (int) Math.min(QueueCounts.MOST, Math.max(FEWEST, messages * SECONDS / seconds));
                seconds *= (double) next / messages;
                messages = next;
            }
        }
        return new Size(messages, seconds);
    }

    private QueueCaseResult measure(Target.RowTarget row, QueueCase one, Size size, int run)
            throws IOException, InterruptedException {
        Slice slice = QueueCounts.slice(row, size.messages, one.workload);
        try (QueueWorkers programs = QueueCounts.programs(row, folder, List.of())) {
            programs.prepare(slice);
            long start = System.nanoTime();
            programs.begin(slice);
            CompletableFuture<QueueFigures> counts = CompletableFuture.supplyAsync(() -> {
                try {
                    return QueueCounts.result(programs, slice);
                } catch (IOException e) {
                    throw new UncheckedIOException(e);
                }
            });
            disturb(row, one, size, run, programs, counts);
            return result(row.row(), one, run, size.messages, counts.get(), (System.nanoTime() - start) / 1e9);
        } catch (ExecutionException e) {
            throw e.getCause() instanceof UncheckedIOException cause ? cause.getCause() : new IOException(e.getCause());
        }
    }

    private void disturb(
            Target.RowTarget row, QueueCase one, Size size, int run, QueueWorkers programs, CompletableFuture<?> answer)
            throws IOException, InterruptedException {
        TimeUnit.MILLISECONDS.sleep((long) (1e3 * size.seconds / 4));
        if (answer.isDone()) {
            throw new IOException("the run was over before anything broke");
        }
        switch (one) {
            case BROKER_KILLED ->
                killAndStart(row.brokers().get((run - 1) % row.brokers().size()).name());
            case CONSUMER_KILLED -> {
                programs.endConsumer(false);
                try {
                    TimeUnit.SECONDS.sleep(1);
                } finally {
                    programs.restartConsumer();
                }
            }
            case CONSUMER_RESTARTED -> {
                programs.endConsumer(true);
                programs.restartConsumer();
            }
            case PRODUCER_KILLED -> programs.killProducer();
            case LINK_CUT, ORDER_LINK_CUT -> cutAgainAndAgain(row.row().name(), answer);
        }
    }

    private void killAndStart(String process) throws IOException, InterruptedException {
        faults.kill(process);
        TimeUnit.SECONDS.sleep(1);
        faults.restart(process, Steps.SILENT);
    }

    private void cutAgainAndAgain(String row, CompletableFuture<?> answer) throws InterruptedException {
        LinkFaults links = new LinkFaults(network, row);
        while (!answer.isDone()) {
            try {
                links.cut();
                TimeUnit.SECONDS.sleep(1);
            } finally {
                links.repair();
            }
            for (int i = 0; i < 40 && !answer.isDone(); i++) {
                TimeUnit.MILLISECONDS.sleep(100);
            }
        }
    }

    private static QueueCaseResult result(
            Row row, QueueCase one, int run, int messages, QueueFigures measured, double seconds) {
        QueueCounts counts = QueueCounts.of(measured, one == QueueCase.ORDER_LINK_CUT);
        List<String> missed = new ArrayList<>();
        if (counts.losesSome() && row.outlives().compareTo(one.losesNothing) >= 0) {
            missed.add("%,d acknowledged messages are lost".formatted(counts.lost()));
        }
        if (measured.ended().containsKey(QueueFigures.WRONG_SUM)) {
            missed.add("the sum of the squares is not that of the consumed numbers");
        }
        return new QueueCaseResult(row.name(), one.title, one.what, run, messages, seconds, counts, missed);
    }
}

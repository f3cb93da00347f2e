package dev.chatterbox.resilience;

import dev.chatterbox.comparison.testbed.Target;
import dev.chatterbox.control.StackFaults;
import dev.chatterbox.network.Toxiproxy;
import dev.chatterbox.rows.Row;
import dev.chatterbox.stack.StackException;
import dev.chatterbox.stack.Steps;
import dev.chatterbox.stack.Testbed;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import tools.jackson.databind.JsonNode;

/**
 * Breaks something while messages of the exchange {@code queue} are on their way, and counts what is lost and doubled:
 * each case several times on each row with this exchange. For one thread.
 */
public final class QueueCases {

    private static final int RUNS = 3;
    private static final int FEWEST = 20_000;

    /** How long an undisturbed run should take, so that something can break in the middle. */
    private static final double SECONDS = 12;

    /** A try takes five seconds where nobody consumes. */
    private static final Duration CONSUMERS_WITHIN = Duration.ofSeconds(30);

    private final StackFaults faults;
    private final ResiliencePlan plan;
    private final Steps steps;
    private final Target target;
    private final Toxiproxy network;
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
                if (!sizes.containsKey(one.parameters)) {
                    steps.progress("… %s: what its queue can".formatted(name));
                    Attempt.failure(() -> sizes.put(one.parameters, size(name, one)))
                            .ifPresent(
                                    why -> steps.line("%s: a queue of %,d messages: %s".formatted(name, FEWEST, why)));
                }
                Size size = sizes.getOrDefault(one.parameters, new Size(FEWEST, SECONDS));
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
    private Size size(String row, QueueCase one) throws IOException, InterruptedException {
        awaitConsumers(row, one);
        int messages = FEWEST;
        double seconds = SECONDS;
        for (int i = 0; i < 4; i++) {
            long start = System.nanoTime();
            answer(row, messages, one);
            seconds = (System.nanoTime() - start) / 1e9;
            int next = (int) Math.min(QueueCounts.MOST, Math.max(FEWEST, messages * SECONDS / seconds));
            seconds *= (double) next / messages;
            messages = next;
        }
        return new Size(messages, seconds);
    }

    private JsonNode answer(String row, int messages, QueueCase one) throws IOException {
        return QueueCounts.answer(target, row, messages, one.parameters);
    }

    /** After the run before, a responder may still be connecting again. */
    private void awaitConsumers(String row, QueueCase one) throws IOException, InterruptedException {
        long end = System.nanoTime() + CONSUMERS_WITHIN.toNanos();
        while (true) {
            try {
                answer(row, 1, one);
                return;
            } catch (IOException e) {
                if (System.nanoTime() - end > 0) {
                    throw e;
                }
                TimeUnit.MILLISECONDS.sleep(200);
            }
        }
    }

    private QueueCaseResult measure(Target.RowTarget row, QueueCase one, Size size, int run)
            throws IOException, InterruptedException {
        awaitConsumers(row.row().name(), one);
        long start = System.nanoTime();
        CompletableFuture<JsonNode> answer = CompletableFuture.supplyAsync(() -> {
            try {
                return answer(row.row().name(), size.messages, one);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        });
        disturb(row, one, size, run, answer);
        try {
            return result(row.row(), one, run, size.messages, answer.get(), (System.nanoTime() - start) / 1e9);
        } catch (ExecutionException e) {
            throw e.getCause() instanceof UncheckedIOException cause ? cause.getCause() : new IOException(e.getCause());
        }
    }

    private void disturb(Target.RowTarget row, QueueCase one, Size size, int run, CompletableFuture<?> answer)
            throws IOException, InterruptedException {
        TimeUnit.MILLISECONDS.sleep((long) (1e3 * size.seconds / 4));
        if (answer.isDone()) {
            throw new IOException("the run was over before anything broke");
        }
        switch (one) {
            case BROKER_KILLED ->
                killAndStart(row.brokers().get((run - 1) % row.brokers().size()).name());
            case RESPONDER_KILLED -> killAndStart(row.responder().orElseThrow().name());
            case RESPONDER_RESTARTED ->
                faults.restart(row.responder().orElseThrow().name(), Steps.SILENT);
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
            Row row, QueueCase one, int run, int messages, JsonNode json, double seconds) {
        QueueCounts counts = QueueCounts.of(json, one == QueueCase.ORDER_LINK_CUT);
        List<String> missed = new ArrayList<>();
        if (one == QueueCase.RESPONDER_RESTARTED && counts.consumed() == null) {
            missed.add("a responder that ended in order did not tell what it had consumed");
        }
        if (counts.losesSome() && row.outlives().compareTo(one.losesNothing) >= 0) {
            missed.add("%,d acknowledged messages are lost".formatted(counts.lost()));
        }
        if (Long.valueOf(messages).equals(counts.consumed())) {
            missed.addAll(QueueCounts.wrongSum(json, messages));
        }
        return new QueueCaseResult(row.name(), one.title, one.what, run, messages, seconds, counts, missed);
    }
}

package dev.chatterbox.square.common;

import com.google.protobuf.InvalidProtocolBufferException;
import dev.chatterbox.connection.KeptConnection;
import dev.chatterbox.proto.QueueReport;
import dev.chatterbox.proto.QueueRun;
import dev.chatterbox.queue.QueueConnection;
import dev.chatterbox.queue.QueueListener;
import dev.chatterbox.queue.Spread;
import java.time.Duration;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.context.SmartLifecycle;

/**
 * The consuming side of the exchange {@code queue}, as a bean: consumes while an aggregator tells it that a run goes on,
 * and reports what it has received. It has a connection of its own, which requests do not use. It never decides that a
 * run is over; it forgets a run of which it has not heard for {@link #FORGET_AFTER}.
 */
public final class QueueResponder implements SmartLifecycle {

    private static final Logger log = LoggerFactory.getLogger(QueueResponder.class);

    private static final Duration PAUSE = Duration.ofMillis(500);

    private static final Duration STOP_WITHIN = Duration.ofSeconds(3);

    private static final Duration REPORT_EVERY = Duration.ofMillis(200);

    private static final Duration LAST_REPORTS_WITHIN = Duration.ofMillis(1_500);

    private static final Duration FORGET_AFTER = Duration.ofSeconds(60);

    private static final int MOST_RUNS = 4;

    private final KeptConnection<QueueConnection> connection;
    private final SquareResponder responder;

    /** Only the thread of {@link #thread} uses it, in the order of the runs' beginnings. */
    private final Map<Long, Kept> runs = new LinkedHashMap<>();

    /** What was told last of each run and is not looked at yet. Its monitor guards it. */
    private final Map<Long, QueueRun> news = new LinkedHashMap<>();

    private final ScheduledThreadPoolExecutor thread =
            new ScheduledThreadPoolExecutor(1, task -> daemon(task, "queue-runs"));

    /** For groups after the first. */
    private final ExecutorService groupThreads = Executors.newCachedThreadPool(task -> daemon(task, "queue-groups"));

    private static Thread daemon(Runnable task, String name) {
        Thread made = new Thread(task, name);
        made.setDaemon(true);
        return made;
    }

    /** Opens a connection for the consuming side. */
    @FunctionalInterface
    public interface Opener {
        QueueConnection open(QueueListener listener) throws Exception;
    }

    /**
     * A run.
     *
     * @param groups of it, which are at least one
     * @param heardAt when an aggregator told of it last, by {@link System#nanoTime}
     */
    private record Kept(List<ConsumedRun> groups, long heardAt) {}

    /** @param broker for messages, as "the Artemis broker at tcp://localhost:5445" */
    public QueueResponder(String broker, Opener opener, SquareResponder responder) {
        this.responder = responder;
        connection = new KeptConnection<>(
                broker + ", for the exchange queue", PAUSE, STOP_WITHIN, () -> opener.open(this::told), () -> {});
    }

    private void told(byte[] message) {
        QueueRun run;
        try {
            run = QueueRun.parseFrom(message);
        } catch (InvalidProtocolBufferException e) {
            responder.refuse("what was told of the exchange queue is not a square.QueueRun: " + e.getMessage());
            return;
        }
        if (!Spread.of(run.getTopics(), run.getGroups()).isPossible()) {
            responder.refuse("what was told of the exchange queue has %d topics and %d groups"
                    .formatted(run.getTopics(), run.getGroups()));
            return;
        }
        boolean first;
        synchronized (news) {
            first = news.isEmpty();
            news.put(run.getRun(), run);
        }
        if (first) {
            execute(this::lookAtNews);
        }
    }

    /** To begin to consume may take seconds, in which more is told: only the last of each run counts. */
    private void lookAtNews() {
        List<QueueRun> told;
        synchronized (news) {
            told = List.copyOf(news.values());
            news.clear();
        }
        told.stream().filter(QueueRun::getEnded).forEach(this::told);
        told.stream().filter(run -> !run.getEnded()).forEach(this::told);
    }

    private void execute(Runnable task) {
        try {
            thread.execute(task);
        } catch (RejectedExecutionException e) {
            log.debug("This responder stops", e);
        }
    }

    private void told(QueueRun run) {
        QueueConnection open = connection.current();
        if (open == null) {
            return; // It is told again within a second.
        }
        Kept known = runs.get(run.getRun());
        if (known == null && run.getEnded()) {
            return;
        }
        if (runs.isEmpty()) {
            thread.schedule(this::tick, REPORT_EVERY.toMillis(), TimeUnit.MILLISECONDS);
        }
        List<ConsumedRun> groups = known == null ? begun(run) : known.groups();
        runs.put(run.getRun(), new Kept(groups, System.nanoTime()));
        if (run.getEnded()) {
            end(groups);
        } else {
            forgetOldest();
            if (known == null) {
                groups.forEach(group -> tell(group.announcement()));
                // There is one queue: the runs before are over, or their messages are gone.
                runs.values().forEach(this::stopConsuming);
            }
            atOnce(groups, run.getHeld() ? ConsumedRun::hold : group -> group.consume(open));
            report();
        }
    }

    /** To begin to consume, or to end it, may take seconds: the groups do not wait for each other. */
    private void atOnce(List<ConsumedRun> groups, Consumer<ConsumedRun> action) {
        List<CompletableFuture<Void>> others = groups.stream()
                .skip(1)
                .map(group -> CompletableFuture.runAsync(() -> action.accept(group), groupThreads))
                .toList();
        action.accept(groups.get(0));
        others.forEach(CompletableFuture::join);
    }

    private void stopConsuming(Kept kept) {
        atOnce(kept.groups(), ConsumedRun::stopConsuming);
    }

    private List<ConsumedRun> begun(QueueRun run) {
        return IntStream.range(0, Spread.of(run.getTopics(), run.getGroups()).groups())
                .mapToObj(group -> new ConsumedRun(run, group, responder, due -> execute(() -> report(due))))
                .toList();
    }

    private void end(List<ConsumedRun> groups) {
        atOnce(groups, ConsumedRun::stopConsuming);
        groups.forEach(group -> group.lastReports().forEach(this::tell));
    }

    private void forgetOldest() {
        if (runs.size() > MOST_RUNS) {
            Iterator<Kept> oldest = runs.values().iterator();
            stopConsuming(oldest.next());
            oldest.remove();
        }
    }

    private void tick() {
        report();
        runs.values().removeIf(kept -> {
            boolean forgotten = System.nanoTime() - kept.heardAt() > FORGET_AFTER.toNanos();
            if (forgotten) {
                stopConsuming(kept);
            }
            return forgotten;
        });
        if (!runs.isEmpty()) {
            thread.schedule(this::tick, REPORT_EVERY.toMillis(), TimeUnit.MILLISECONDS);
        }
    }

    private void report() {
        runs.values().forEach(kept -> kept.groups().forEach(this::report));
    }

    private void report(ConsumedRun group) {
        QueueReport report = group.report();
        if (report != null) {
            tell(report);
        }
    }

    /** A report that is lost makes no difference: the next one says the same and more. */
    private void tell(QueueReport report) {
        QueueConnection open = connection.current();
        try {
            if (open != null) {
                open.tell(report.toByteArray());
            }
        } catch (Exception e) {
            log.debug("Not told", e);
        }
    }

    @Override
    public void start() {
        connection.start();
    }

    /** Consumes no more, says what it has consumed, and closes. */
    @Override
    public void stop() {
        execute(() -> runs.values().forEach(kept -> end(kept.groups())));
        thread.shutdown();
        try {
            if (!thread.awaitTermination(LAST_REPORTS_WITHIN.toMillis(), TimeUnit.MILLISECONDS)) {
                thread.shutdownNow();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        groupThreads.shutdown();
        connection.stop();
    }

    @Override
    public boolean isRunning() {
        return connection.isRunning();
    }
}

package dev.chatterbox.aggregator.queue;

import com.google.protobuf.InvalidProtocolBufferException;
import dev.chatterbox.aggregator.client.CallException;
import dev.chatterbox.aggregator.client.Outcome;
import dev.chatterbox.aggregator.client.SquareQueueClient;
import dev.chatterbox.connection.KeptConnection;
import dev.chatterbox.proto.QueueReport;
import dev.chatterbox.proto.QueueRun;
import dev.chatterbox.queue.QueueClock;
import dev.chatterbox.queue.QueueConnection;
import dev.chatterbox.queue.QueueListener;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.BitSet;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One run of the exchange {@code queue}, on the thread that calls {@link #run}, with a {@link Publisher} and a
 * connection of its own. Every second it tells the responders that the run goes on, so that also one that has just
 * started, or has just connected again, takes part. Nothing is published twice.
 */
final class QueueRunner implements QueueListener {

    private static final Logger log = LoggerFactory.getLogger(QueueRunner.class);

    private static final Duration PAUSE = Duration.ofMillis(500);
    private static final Duration STOP_WITHIN = Duration.ofSeconds(3);
    private static final Duration TELL_EVERY = Duration.ofSeconds(1);

    /** The first responder may not be the only one: so long it is waited for further ones. */
    private static final Duration OTHERS_WITHIN = Duration.ofMillis(300);

    /**
     * How long a run goes on while the broker answers nothing and nothing is received, and all is published. Longer than
     * it takes until a broker gives what a dead responder had to another one: Kafka 10 s, JetStream 3 s.
     */
    private static final Duration PATIENCE = Duration.ofSeconds(15);

    /** The same where nothing is stored: then what has not come by now does not come. */
    private static final Duration PATIENCE_UNSTORED = Duration.ofSeconds(1);

    /** How long it goes on while not all is published: a broker may need so long to come back. */
    private static final Duration PATIENCE_PUBLISHING = Duration.ofSeconds(30);

    /** A message that nobody acknowledges, and that is not reported after so long, is lost. */
    private static final Duration ON_ITS_WAY = Duration.ofSeconds(3);

    private static final Duration LAST_REPORTS_WITHIN = Duration.ofSeconds(5);

    /** How often messages without an answer are looked for. */
    private static final Duration LOOK_EVERY = Duration.ofMillis(100);

    private final SquareQueueClient client;
    private final QueueRequest request;
    private final Duration callTimeout;
    private final QueueRun run;
    private final KeptConnection<QueueConnection> connection;
    private final Received received;
    private volatile @Nullable Published published;
    private volatile boolean cancelled;
    private @Nullable Backlog backlog;
    private volatile long changedAt = System.nanoTime();
    private boolean made;
    private volatile long makeNanos;

    /** @param callTimeout the deadline of an acknowledgement, and of the run's beginning */
    QueueRunner(SquareQueueClient client, QueueRequest request, Duration callTimeout) {
        this.client = client;
        this.request = request;
        this.callTimeout = callTimeout;
        received = new Received(request.spread().groups());
        run = QueueRun.newBuilder()
                .setRun(ThreadLocalRandom.current().nextLong())
                .setN(request.n())
                .setPayload(request.payload())
                .setConsumers(request.consumers())
                .setTopics(request.spread().topics())
                .setGroups(request.spread().groups())
                .setBoot(QueueClock.bootId())
                .build();
        connection = new KeptConnection<>(client.queue(), PAUSE, STOP_WITHIN, this::open, this::disconnected);
    }

    /** Ends the run soon; any thread may call it. */
    void cancel() {
        cancelled = true;
        changed();
    }

    /**
     * Runs it, and waits until it is over.
     *
     * @throws CallException the run could not begin
     */
    QueueResult run() throws InterruptedException {
        connection.start();
        try {
            begin();
            if (request.heldSeconds() > 0) {
                tell(run.toBuilder().setHeld(true).build());
                backlog = new Backlog(published(), received, request, System.nanoTime());
            }
            Publisher publisher = new Publisher(request, run.getRun(), published(), connection, this::changed);
            publisher.start();
            QueueResult.Ended ended = supervise(publisher);
            publisher.stop(callTimeout.toMillis());
            long consumedMicros = lastReports();
            // What has no answer by now is unknown.
            published().giveUp(System.nanoTime());
            return result(ended, publisher, consumedMicros);
        } finally {
            remove();
            connection.stop();
        }
    }

    /** Runs on the connection's thread, also after an outage: then the queue is made again where it is gone. */
    private QueueConnection open() throws Exception {
        QueueConnection opened = client.openQueue(this);
        try {
            long start = System.nanoTime();
            opened.make(request.spread(), !made);
            makeNanos = made ? makeNanos : System.nanoTime() - start;
            made = true;
            return opened;
        } catch (Exception e) {
            if (!made) {
                remove(opened);
            }
            opened.close();
            throw e;
        }
    }

    /** Acknowledgements cannot come any more. */
    private void disconnected() {
        Published now = published;
        if (now != null) {
            now.giveUp(System.nanoTime());
        }
        changed();
    }

    private void begin() throws InterruptedException {
        Duration within = request.beginWithin(callTimeout);
        if (!await(() -> connection.current() != null || cancelled, within)) {
            throw new CallException(Outcome.UNAVAILABLE, connection.disconnectedMessage());
        }
        awaitTelling(() -> received.instances() > 0 || cancelled, within, TELL_EVERY);
        int known;
        do {
            int before = received.instances();
            known = before;
            awaitTelling(() -> received.instances() > before || cancelled, OTHERS_WITHIN, TELL_EVERY);
        } while (received.instances() > known);
        awaitTelling(() -> allConsume() || cancelled, within, TELL_EVERY);
        if (received.consumingGroups() < request.spread().groups()) {
            throw new CallException(
                    Outcome.UNAVAILABLE, "no responder consumes the queue: none has answered within " + within);
        }
        QueueConnection open = connection.current();
        boolean isAcknowledged = open == null || open.isAcknowledged();
        int places = isAcknowledged ? request.publishers() : request.window() ? QueueRequest.WINDOW : -1;
        published = new Published(request.n(), isAcknowledged, places);
        changedAt = System.nanoTime();
    }

    private boolean allConsume() {
        return received.consuming() == received.instances()
                && received.consumingGroups() == request.spread().groups();
    }

    /** How many messages were published at a time, by {@link System#nanoTime}. */
    private record Moment(long time, int published) {}

    private QueueResult.Ended supervise(Publisher publisher) throws InterruptedException {
        Published now = published();
        Queue<Moment> history = new ArrayDeque<>();
        long told = 0;
        boolean wasHeld = isHeld(System.nanoTime());
        while (true) {
            if (received.distinct() >= request.consumed() && publisher.isDone() && now.isSettled()) {
                return QueueResult.Ended.COMPLETE;
            }
            if (cancelled) {
                return QueueResult.Ended.CANCELLED;
            }
            long time = System.nanoTime();
            boolean held = isHeld(time);
            boolean allPublished = publisher.isDone();
            Duration patience =
                    !allPublished ? PATIENCE_PUBLISHING : now.isAcknowledged() ? PATIENCE : patienceUnstored();
            if (held) {
                changedAt = time;
            }
            long changed = Math.max(changedAt, now.answeredAt());
            if (time - changed > patience.toNanos() && (!allPublished || now.isSettled())) {
                return QueueResult.Ended.NO_PROGRESS;
            }
            if (time - told >= TELL_EVERY.toNanos() || held != wasHeld) {
                told = time;
                wasHeld = held;
                tell(held ? run.toBuilder().setHeld(true).build() : run);
            }
            now.giveUp(time - callTimeout.toNanos());
            history.add(new Moment(time, now.count()));
            while (time - history.element().time() > ON_ITS_WAY.toNanos()) {
                now.giveUpPlaces(history.remove().published(), received.fewest());
            }
            pause(LOOK_EVERY);
        }
    }

    /** After they were held, consumers begin again. */
    private Duration patienceUnstored() {
        return request.heldSeconds() == 0 ? PATIENCE_UNSTORED : request.beginWithin(PATIENCE_UNSTORED.plus(ON_ITS_WAY));
    }

    /** Looks at the backlog, and says whether the consumers are to be held. */
    private boolean isHeld(long time) {
        if (backlog == null) {
            return false;
        }
        backlog.look(time);
        return backlog.isHeld(time);
    }

    /** @return when the last message was received, in microseconds since 1970 */
    private long lastReports() throws InterruptedException {
        awaitTelling(
                () -> received.missingBitmaps() == 0,
                request.beginWithin(LAST_REPORTS_WITHIN),
                Duration.ofMillis(500),
                ended());
        return received.lastMicros();
    }

    private QueueRun ended() {
        return run.toBuilder().setEnded(true).build();
    }

    private QueueResult result(QueueResult.Ended ended, Publisher publisher, long consumedMicros) {
        Published now = published();
        int without = received.missingBitmaps();
        List<BitSet> groups = without == 0 ? received.numbers() : List.of();
        boolean known = !groups.isEmpty();
        int consumed = groups.stream().mapToInt(BitSet::cardinality).sum();
        return new QueueResult(
                ended,
                now.count(),
                now.acknowledged(),
                now.refused(),
                now.unknown(),
                received.messages(),
                known ? consumed : null,
                known ? groups.stream().mapToInt(now::missing).sum() : null,
                known ? groups.stream().mapToInt(now::lost).sum() : null,
                known ? received.messages() - consumed : null,
                received.outOfOrder(),
                known ? Long.toString(received.sum()) : null,
                makeNanos / 1e6,
                Math.max(0, now.lastAt() - publisher.firstAt()) / 1e6,
                Math.max(0, consumedMicros - publisher.firstMicros()) / 1e3,
                QueueResult.Latency.of(now.waits()),
                QueueResult.Latency.of(received.oneWay()),
                backlog == null ? null : backlog.result(System.nanoTime()),
                !known
                        ? "%d of %d %s did not say which messages they consumed: they have ended"
                                .formatted(
                                        without,
                                        received.instances(),
                                        request.spread().groups() == 1 ? "responders" : "groups of responders")
                        : null);
    }

    private void remove() {
        QueueConnection open = connection.current();
        if (open != null) {
            tell(ended());
            remove(open);
        }
    }

    private void remove(QueueConnection open) {
        try {
            open.remove();
        } catch (Exception e) {
            log.warn("The queue of {} was not removed: {}", client.queue(), e.toString());
        }
    }

    private void tell(QueueRun state) {
        QueueConnection open = connection.current();
        try {
            if (open != null) {
                open.tell(state.toByteArray());
            }
        } catch (Exception e) {
            log.debug("Not told; the next time follows", e);
        }
    }

    private boolean awaitTelling(BooleanSupplier condition, Duration most, Duration every) throws InterruptedException {
        return awaitTelling(condition, most, every, run);
    }

    private boolean awaitTelling(BooleanSupplier condition, Duration most, Duration every, QueueRun state)
            throws InterruptedException {
        long end = System.nanoTime() + most.toNanos();
        while (System.nanoTime() - end < 0) {
            tell(state);
            long left = end - System.nanoTime();
            if (await(condition, Duration.ofNanos(Math.min(every.toNanos(), left)))) {
                return true;
            }
        }
        return condition.getAsBoolean();
    }

    private boolean await(BooleanSupplier condition, Duration most) throws InterruptedException {
        long end = System.nanoTime() + most.toNanos();
        while (!condition.getAsBoolean()) {
            long left = end - System.nanoTime();
            if (left <= 0) {
                return false;
            }
            pause(Duration.ofNanos(Math.min(left, LOOK_EVERY.toNanos())));
        }
        return true;
    }

    private synchronized void pause(Duration most) throws InterruptedException {
        wait(Math.max(1, most.toMillis()));
    }

    private synchronized void changed() {
        notifyAll();
    }

    private Published published() {
        Published now = published;
        if (now == null) {
            throw new IllegalStateException("nothing is published yet");
        }
        return now;
    }

    @Override
    public void told(byte[] message) {
        QueueReport report;
        try {
            report = QueueReport.parseFrom(message);
        } catch (InvalidProtocolBufferException e) {
            log.debug("No report", e);
            return;
        }
        if (report.getRun() != run.getRun()) {
            return;
        }
        long different = received.distinct();
        long more = received.take(report);
        // Where connections break again and again, the same messages may come again and again: that is no progress.
        if (received.distinct() > different) {
            changedAt = System.nanoTime();
        }
        Published now = published;
        if (more > 0 && now != null) {
            now.received(more);
        }
        changed();
    }

    @Override
    public void acknowledged(int number) {
        published().acknowledged(number);
    }

    @Override
    public void refused(int number) {
        published().refused(number);
    }

    @Override
    public void unknown(int number) {
        published().unknown(number);
    }
}

package dev.chatterbox.clients;

import com.google.protobuf.InvalidProtocolBufferException;
import dev.chatterbox.proto.Messages;
import dev.chatterbox.proto.QueueMessage;
import dev.chatterbox.queue.QueueConnection;
import dev.chatterbox.queue.QueueListener;
import dev.chatterbox.workloads.MessageFile;
import dev.chatterbox.workloads.MessageFile.Field;
import dev.chatterbox.workloads.QueueShape;
import dev.chatterbox.workloads.Slice;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Consumes what {@link Produce} publishes, by each group of consumers, from its getting ready for a first slice on. The
 * order of a slice says how many messages there are: it is done when each group has so many different ones, or when
 * nothing has come for too long. An order to hold lets the consumers wait until the next
 * order or preparation; it is done when none consumes.
 */
public final class Consume extends QueueProgram {

    /** Longer than until a broker gives what a dead consumer had to another one: Kafka 10 s, JetStream 3 s. */
    private static final int PATIENCE_SECONDS = 15;

    /** Where nothing is stored: what has not come by then does not come. */
    private static final Duration PATIENCE_UNSTORED = Duration.ofSeconds(1);

    private final Duration patience = patience(PATIENCE_SECONDS);
    private volatile @Nullable Consumption current;
    private volatile boolean held;
    private volatile boolean consumes;

    /** Guarded by this, as the opening and closing of consumers. */
    private final List<AutoCloseable> consumers = new ArrayList<>();

    private Consume(String[] arguments) {
        super(arguments, QueueListener.NONE);
        thread.scheduleWithFixedDelay(this::look, LOOK_EVERY.toMillis(), LOOK_EVERY.toMillis(), TimeUnit.MILLISECONDS);
    }

    public static void main(String[] arguments) {
        new Consume(arguments).run();
    }

    /** The name of a group's file. */
    static String file(int group) {
        return "consumed-" + group;
    }

    /** A slice under way. */
    private static final class Consumption {

        final String id;
        final List<Consumed> groups;
        private volatile int expected;
        private volatile long changedAt;
        private boolean over;

        Consumption(String id, List<Consumed> groups) {
            this.id = id;
            this.groups = groups;
        }

        /** Whether it is over now, and was not before. */
        synchronized boolean isOver(long patienceNanos) {
            if (over || expected == 0) {
                return false;
            }
            over = groups.stream().allMatch(group -> group.distinct() >= expected)
                    || System.nanoTime() - changedAt > patienceNanos;
            return over;
        }
    }

    /** What a group has consumed of a slice. */
    private static final class Consumed {

        private final MessageFile file;
        private final long run;
        private final int payload;
        private final int[] highest;

        Consumed(MessageFile file, Slice slice) {
            this.file = file;
            if (file.get(Field.COUNT) > 0) {
                file.recount();
            }
            run = run(slice.id());
            payload = slice.workload().payloadBytes();
            highest = new int[slice.workload().shape().queue().topics()];
        }

        long distinct() {
            return file.get(Field.COUNT) - file.get(Field.DOUBLED);
        }

        /** Notes a message; one of another slice is none. Returns whether it is a new one. */
        synchronized boolean take(QueueMessage message) {
            int number = message.getNumber();
            if (message.getRun() != run
                    || number < 1
                    || number > MessageFile.MOST
                    || message.getPayload().size() != payload) {
                return false;
            }
            long now = MessageFile.micros();
            boolean isNew = file.state(number) == 0;
            if (isNew) {
                file.state(number, (int) Math.max(1, Math.min(Integer.MAX_VALUE, now - message.getMade())));
                file.add(Field.SUM, (long) number * number);
                int topic = number % highest.length;
                if (number < highest[topic]) {
                    file.add(Field.OUT_OF_ORDER, 1);
                } else {
                    highest[topic] = number;
                }
            } else {
                file.add(Field.DOUBLED, 1);
            }
            file.set(Field.LAST, now);
            file.add(Field.COUNT, 1);
            return isNew;
        }
    }

    @Override
    void note(Slice slice) throws IOException {
        List<Consumed> groups = new ArrayList<>();
        for (int group = 0; group < slice.workload().shape().queue().groups(); group++) {
            groups.add(new Consumed(file(file(group)), slice));
        }
        current = new Consumption(slice.id(), groups);
        held = false;
    }

    @Override
    boolean ready() {
        return super.ready() && consumes;
    }

    @Override
    void opened(QueueConnection open, QueueShape wanted) throws Exception {
        if (!held) {
            consume(open, wanted);
        }
    }

    /** To begin to consume may take seconds: the groups do not wait for each other. */
    private synchronized void consume(QueueConnection open, QueueShape wanted) throws IOException {
        if (consumes) {
            return;
        }
        List<CompletableFuture<AutoCloseable>> opening = IntStream.range(0, wanted.groups())
                .mapToObj(group -> CompletableFuture.supplyAsync(() -> consume(open, wanted, group)))
                .toList();
        try {
            opening.forEach(each -> consumers.add(each.join()));
            consumes = true;
        } catch (CompletionException e) {
            throw new IOException("the queue cannot be consumed", e.getCause());
        }
    }

    private AutoCloseable consume(QueueConnection open, QueueShape wanted, int group) {
        try {
            return open.consume(spread(wanted), group, wanted.consumers(), body -> take(group, body));
        } catch (Exception e) {
            throw new CompletionException(e);
        }
    }

    /** @param body null if a record of Kafka has no value */
    private void take(int group, byte @Nullable [] body) {
        Consumption now = current;
        if (now == null || body == null || group >= now.groups.size()) {
            return;
        }
        try {
            if (now.groups.get(group).take(Messages.parse(QueueMessage.parser(), body))) {
                now.changedAt = System.nanoTime();
                if (now.expected > 0 && now.groups.get(group).distinct() >= now.expected) {
                    look();
                }
            }
        } catch (InvalidProtocolBufferException e) {
            System.err.println("No message of a slice: " + e.getMessage());
        }
    }

    private void look() {
        Consumption now = current;
        QueueConnection open = current();
        boolean isStored = open == null || open.isAcknowledged();
        if (now != null && now.isOver((isStored ? patience : PATIENCE_UNSTORED).toNanos())) {
            done(now.id, "");
        }
    }

    /** @param slice its requests and calls say how many messages there are */
    @Override
    public void begin(Slice slice) {
        resume();
        Consumption now = current;
        if (now != null) {
            now.changedAt = System.nanoTime();
            now.expected = (int) slice.requests() * slice.workload().calls();
            look();
        }
    }

    @Override
    public void hold(String id) {
        held = true;
        stopConsuming();
        done(id, "");
    }

    @Override
    void resume() {
        QueueShape wanted = shape();
        QueueConnection open = current();
        held = false;
        if (open != null && wanted != null) {
            try {
                consume(open, wanted);
            } catch (IOException e) {
                System.err.println("The consumers cannot go on: " + e);
            }
        }
    }

    private synchronized void stopConsuming() {
        consumes = false;
        for (AutoCloseable each : consumers) {
            try {
                each.close();
            } catch (Exception e) {
                System.err.println("A consumer was not closed in order: " + e);
            }
        }
        consumers.clear();
    }

    /** What the consumers were used over is gone. */
    @Override
    void disconnected() {
        stopConsuming();
    }

    @Override
    void closing(QueueConnection open) {
        stopConsuming();
    }
}

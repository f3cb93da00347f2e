package dev.chatterbox.clients;

import com.google.protobuf.InvalidProtocolBufferException;
import dev.chatterbox.proto.Messages;
import dev.chatterbox.proto.QueueMessage;
import dev.chatterbox.queue.QueueConnection;
import dev.chatterbox.workloads.Dimension;
import dev.chatterbox.workloads.MessageFile;
import dev.chatterbox.workloads.MessageFile.Field;
import dev.chatterbox.workloads.Slice;
import dev.chatterbox.workloads.SliceResult;
import dev.chatterbox.workloads.Workload;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Consumes what {@link Produce} publishes, by each group of consumers, from its getting ready for a first slice on. The
 * order of a slice says how many messages there are: it is done when each group has so many different ones, or when
 * nothing has come for too long. An order to hold lets the consumers wait until the next order or preparation; it is
 * done when none consumes.
 */
public final class Consume extends QueueProgram {

    /** Longer than until a broker gives what a dead consumer had to another one: Kafka 10 s, JetStream 3 s. */
    private static final int PATIENCE_SECONDS = 15;

    /** Where nothing is stored: what has not come by then does not come. */
    private static final Duration PATIENCE_UNSTORED = Duration.ofSeconds(1);

    private final Duration patience = patience(PATIENCE_SECONDS);
    private volatile @Nullable Consumption current;

    /** Guarded by this, as the opening and closing of consumers. */
    private final List<AutoCloseable> consumers = new ArrayList<>();

    private Consume(String[] arguments) {
        super(arguments);
    }

    public static void main(String[] arguments) {
        new Consume(arguments).run();
    }

    /** What all groups have consumed of a slice. */
    private static final class Consumption {

        final List<Consumed> groups;
        private volatile long expected = Long.MAX_VALUE;
        private volatile long changedAt;
        private @Nullable Runnable done;

        Consumption(List<Consumed> groups) {
            this.groups = groups;
        }

        /** @param done is called once, when each group has so many different messages, or nothing more comes */
        synchronized void begin(long messages, Runnable done) {
            this.done = done;
            changedAt = System.nanoTime();
            expected = messages;
        }

        /** Notes a message of a group, and returns whether it may be the last one. */
        boolean take(int group, QueueMessage message) {
            Consumed of = groups.get(group);
            if (!of.take(message)) {
                return false;
            }
            changedAt = System.nanoTime();
            return of.distinct() >= expected;
        }

        synchronized void look(Duration patience) {
            boolean complete = groups.stream().allMatch(group -> group.distinct() >= expected);
            if (done != null && (complete || System.nanoTime() - changedAt > patience.toNanos())) {
                done.run();
                done = null;
            }
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
            run = run(slice);
            payload = slice.workload().payloadBytes();
            highest = new int[slice.workload().get(Dimension.TOPICS)];
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
        current = new Consumption(consumedFiles(slice).stream()
                .map(file -> new Consumed(file, slice))
                .toList());
    }

    /** To begin to consume may take seconds: the groups do not wait for each other. */
    @Override
    synchronized void opened(QueueConnection open, Workload wanted) throws IOException {
        List<CompletableFuture<AutoCloseable>> opening = IntStream.range(0, wanted.get(Dimension.GROUPS))
                .mapToObj(group -> CompletableFuture.supplyAsync(
                        () -> consume(open, wanted, group),
                        task -> daemon("group " + group, task).start()))
                .toList();
        try {
            opening.forEach(consumer -> consumers.add(consumer.join()));
        } catch (CompletionException e) {
            throw new IOException("the queue cannot be consumed", e.getCause());
        }
    }

    private AutoCloseable consume(QueueConnection open, Workload wanted, int group) {
        try {
            return open.consume(spread(wanted), group, wanted.get(Dimension.CONSUMERS), body -> take(group, body));
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
            if (now.take(group, Messages.parse(QueueMessage.parser(), body))) {
                look();
            }
        } catch (InvalidProtocolBufferException e) {
            System.err.println("No message of a slice: " + e.getMessage());
        }
    }

    @Override
    void look() {
        Consumption now = current;
        QueueConnection open = current();
        if (now != null) {
            now.look(open == null || open.isAcknowledged() ? patience : PATIENCE_UNSTORED);
        }
    }

    /** @param slice its requests and calls say how many messages there are */
    @Override
    public void begin(Slice slice, Consumer<SliceResult> answer) {
        connect(slice.workload());
        Consumption now = current;
        if (now != null) {
            now.begin(slice.requests() * slice.workload().calls(), () -> answer.accept(SliceResult.done(slice, "")));
            look();
        }
    }

    @Override
    public void hold(Slice slice) {
        close();
    }

    /** Ends the consumers: what they were used over is gone. */
    @Override
    synchronized void disconnected() {
        for (AutoCloseable consumer : consumers) {
            try {
                consumer.close();
            } catch (Exception e) {
                System.err.println("A consumer was not closed in order: " + e);
            }
        }
        consumers.clear();
    }

    @Override
    void closing(QueueConnection open) {
        disconnected();
    }
}

package dev.chatterbox.clients;

import com.google.protobuf.UnsafeByteOperations;
import dev.chatterbox.proto.QueueMessage;
import dev.chatterbox.queue.QueueConnection;
import dev.chatterbox.queue.QueueListener;
import dev.chatterbox.workloads.Load;
import dev.chatterbox.workloads.MessageFile;
import dev.chatterbox.workloads.MessageFile.Field;
import dev.chatterbox.workloads.QueueShape;
import dev.chatterbox.workloads.Slice;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Publishes the messages of a slice, each once and in the order of their numbers, which begin with 1. As many as the
 * workload has publishers are on their way to their acknowledgement at most; where nothing is acknowledged, at most
 * {@code --window=N} are on their way to the consumers, or any number if it is 0. A slice without a number of requests
 * ends after its seconds, with the last message of a request.
 */
public final class Produce extends QueueProgram {

    /** The name of its file. */
    private static final String FILE = "produced";

    private static final String WINDOW = "4096";
    private static final int PATIENCE_SECONDS = 30;

    /** A message without an acknowledgement for so long gets none. */
    private static final Duration ACKNOWLEDGED_WITHIN = Duration.ofSeconds(5);

    private final int window = Integer.parseInt(argument("window", WINDOW));
    private final Duration patience = patience(PATIENCE_SECONDS);
    private final Answers answers;
    private final ExecutorService publisher = Executors.newSingleThreadExecutor(task -> {
        Thread made = new Thread(task, "publisher");
        made.setDaemon(true);
        return made;
    });

    private volatile @Nullable MessageFile file;

    /** How long the queue took to make; 0 if it is not made yet. */
    private volatile long madeMicros;

    private boolean made;

    private Produce(String[] arguments, Answers answers) {
        super(arguments, answers);
        this.answers = answers;
        thread.scheduleWithFixedDelay(
                () -> answers.giveUp(ACKNOWLEDGED_WITHIN),
                LOOK_EVERY.toMillis(),
                LOOK_EVERY.toMillis(),
                TimeUnit.MILLISECONDS);
    }

    public static void main(String[] arguments) {
        new Produce(arguments, new Answers()).run();
    }

    /** Passes what the broker answers on to the slice under way. */
    private static final class Answers implements QueueListener {

        volatile @Nullable Published published;

        @Override
        public void acknowledged(int number) {
            settle(number, Published.ACKNOWLEDGED);
        }

        @Override
        public void refused(int number) {
            settle(number, MessageFile.REFUSED);
        }

        @Override
        public void unknown(int number) {
            settle(number, MessageFile.UNKNOWN);
        }

        private void settle(int number, int state) {
            Published now = published;
            if (now != null) {
                now.settle(number, state);
            }
        }

        void giveUp(Duration olderThan) {
            Published now = published;
            if (now != null) {
                now.giveUp(olderThan);
            }
        }
    }

    @Override
    void note(Slice slice) throws IOException {
        answers.published = null;
        MessageFile opened = file(FILE);
        opened.set(Field.MADE, madeMicros);
        file = opened;
    }

    @Override
    void opened(QueueConnection open, QueueShape wanted) throws Exception {
        long begin = System.nanoTime();
        open.make(spread(wanted), !made);
        if (!made) {
            made = true;
            madeMicros = (System.nanoTime() - begin) / 1_000;
            MessageFile now = file;
            if (now != null) {
                now.set(Field.MADE, madeMicros);
            }
        }
    }

    @Override
    void disconnected() {
        answers.giveUp(Duration.ZERO);
    }

    @Override
    void closing(QueueConnection open) throws Exception {
        open.remove();
        made = false;
    }

    @Override
    public void begin(Slice slice) {
        publisher.execute(() -> {
            String failure = "";
            try {
                publish(slice);
            } catch (IOException | InterruptedException | RuntimeException e) {
                System.err.println("Not all was published: " + e);
                failure = "unpublished";
            }
            done(slice.id(), failure);
        });
    }

    private void publish(Slice slice) throws IOException, InterruptedException {
        MessageFile to = file;
        QueueConnection first = current();
        if (to == null || first == null) {
            throw new IOException("no connection to the broker");
        }
        QueueShape shape = slice.workload().shape().queue();
        List<MessageFile> consumed = new ArrayList<>();
        for (int group = 0; group < shape.groups(); group++) {
            consumed.add(file(Consume.file(group)));
        }
        int most = first.isAcknowledged() ? shape.publishers() : window;
        Published published = new Published(to, first.isAcknowledged(), most, consumed, patience);
        answers.published = published;
        byte[] payload = new byte[slice.workload().payloadBytes()];
        ThreadLocalRandom.current().nextBytes(payload);
        QueueMessage.Builder message =
                QueueMessage.newBuilder().setRun(run(slice.id())).setPayload(UnsafeByteOperations.unsafeWrap(payload));
        long calls = slice.workload().calls();
        long messages = slice.requests() == 0 ? MessageFile.MOST : slice.requests() * calls;
        double rate = slice.workload().load() instanceof Load.Rate open ? open.perSecond() * calls : 0;
        long begin = System.nanoTime();
        long nanos = slice.seconds() == 0 ? Long.MAX_VALUE : (long) (slice.seconds() * 1e9);
        for (int number = 1; number <= Math.min(messages, MessageFile.MOST); number++) {
            boolean isWhole = (number - 1) % calls == 0;
            if (isWhole && number > 1 && System.nanoTime() - begin > nanos) {
                break;
            }
            if (rate > 0) {
                awaitTurn(begin + (long) ((number - 1) * 1e9 / rate));
            }
            QueueConnection open = awaitConnection(published);
            if (open == null || !published.awaitPlace()) {
                break;
            }
            byte[] body = message.setNumber(number)
                    .setMade(MessageFile.micros())
                    .build()
                    .toByteArray();
            published.publishing(number);
            try {
                open.publish(number, body);
            } catch (InterruptedException e) {
                throw e;
            } catch (Exception e) {
                published.settle(number, MessageFile.UNKNOWN);
            }
        }
        published.awaitSettled();
    }

    /** Messages come in bursts of a millisecond, because a thread cannot sleep for less. */
    private static void awaitTurn(long at) throws InterruptedException {
        long ahead = at - System.nanoTime();
        if (ahead > TimeUnit.MILLISECONDS.toNanos(1)) {
            TimeUnit.NANOSECONDS.sleep(ahead);
        }
    }

    /** @return null if there is none, and nothing has happened for too long */
    private @Nullable QueueConnection awaitConnection(Published published) throws InterruptedException {
        QueueConnection open = current();
        while (open == null && !published.isStuck()) {
            TimeUnit.MILLISECONDS.sleep(10);
            open = current();
        }
        return open;
    }
}

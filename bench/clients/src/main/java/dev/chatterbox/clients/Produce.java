package dev.chatterbox.clients;

import com.google.protobuf.UnsafeByteOperations;
import dev.chatterbox.proto.QueueMessage;
import dev.chatterbox.queue.QueueConnection;
import dev.chatterbox.queue.QueueListener;
import dev.chatterbox.queue.QueueListener.Answer;
import dev.chatterbox.queue.QueueSettings;
import dev.chatterbox.workloads.Dimension;
import dev.chatterbox.workloads.Load;
import dev.chatterbox.workloads.MessageFile;
import dev.chatterbox.workloads.MessageFile.Field;
import dev.chatterbox.workloads.Slice;
import dev.chatterbox.workloads.SliceResult;
import dev.chatterbox.workloads.Workload;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Publishes the messages of a slice, each once and in the order of their numbers, which begin with 1. As many are on
 * their way to their acknowledgement as {@link QueueSettings#mostUnacknowledged} says; where nothing is acknowledged,
 * at most {@code --window=N} with together 32 MiB are on their way to the consumers, or any number if N is 0. A slice
 * without a number of requests ends after its seconds, with the last message of a request.
 */
public final class Produce extends QueueProgram implements QueueListener {

    private static final int WINDOW = 4096;

    /** All that is on its way may wait in this program's heap. */
    private static final int WINDOW_BYTES = 32 << 20;

    private static final int PATIENCE_SECONDS = 30;

    /** A message without an acknowledgement for so long gets none. */
    private static final Duration ACKNOWLEDGED_WITHIN = Duration.ofSeconds(5);

    private final int window = argument("window").map(Integer::valueOf).orElse(WINDOW);
    private final Duration patience = patience(PATIENCE_SECONDS);
    private final ExecutorService publisher = Executors.newSingleThreadExecutor(task -> daemon("publisher", task));

    /** The messages of the slice under way, or of the one before. */
    private volatile @Nullable Published published;

    /** How long the queue took to make; 0 if it is not made yet. */
    private volatile long madeMicros;

    private boolean hasQueue;

    private Produce(String[] arguments) {
        super(arguments);
    }

    public static void main(String[] arguments) {
        new Produce(arguments).run();
    }

    @Override
    QueueListener listener() {
        return this;
    }

    @Override
    public void answered(int number, Answer answer) {
        Published now = published;
        if (now != null) {
            now.settle(number, answer);
        }
    }

    @Override
    void look() {
        giveUp(ACKNOWLEDGED_WITHIN);
    }

    private void giveUp(Duration olderThan) {
        Published now = published;
        if (now != null) {
            now.giveUp(olderThan);
        }
    }

    @Override
    void opened(QueueConnection open, Workload wanted) throws Exception {
        long begin = System.nanoTime();
        open.make(spread(wanted), !hasQueue);
        if (!hasQueue) {
            hasQueue = true;
            madeMicros = (System.nanoTime() - begin) / 1_000;
        }
    }

    @Override
    void disconnected() {
        giveUp(Duration.ZERO);
    }

    @Override
    void closing(QueueConnection open) throws Exception {
        open.remove();
        hasQueue = false;
    }

    @Override
    public void begin(Slice slice, Consumer<SliceResult> answer) {
        publisher.execute(() -> {
            String failure = "";
            try {
                publish(slice);
            } catch (IOException | InterruptedException | RuntimeException e) {
                System.err.println("Not all was published: " + e);
                failure = "unpublished";
            }
            answer.accept(SliceResult.done(slice, failure));
        });
    }

    private void publish(Slice slice) throws IOException, InterruptedException {
        QueueConnection first = current();
        if (first == null) {
            throw new IOException("no connection to the broker");
        }
        Workload workload = slice.workload();
        MessageFile file = file("produced");
        file.set(Field.MADE, madeMicros);
        Published messages = new Published(
                file,
                first.isAcknowledged(),
                first.isAcknowledged()
                        ? settings.mostUnacknowledged(workload.get(Dimension.PUBLISHERS))
                        : Math.min(window, WINDOW_BYTES / Math.max(1, workload.payloadBytes())),
                consumedFiles(slice),
                patience);
        published = messages;
        byte[] payload = new byte[workload.payloadBytes()];
        ThreadLocalRandom.current().nextBytes(payload);
        QueueMessage.Builder message =
                QueueMessage.newBuilder().setRun(run(slice)).setPayload(UnsafeByteOperations.unsafeWrap(payload));
        int calls = workload.calls();
        long most = Math.min(MessageFile.MOST / calls, slice.mostRequests()) * calls;
        double rate = workload.load() instanceof Load.Rate open ? open.perSecond() * calls : 0;
        long begin = System.nanoTime();
        for (int number = 1; number <= most; number++) {
            boolean isFirstOfRequest = (number - 1) % calls == 0;
            if (isFirstOfRequest && number > 1 && System.nanoTime() - begin > slice.mostNanos()) {
                break;
            }
            if (rate > 0) {
                awaitTurn(begin + (long) ((number - 1) * 1e9 / rate));
            }
            QueueConnection open = awaitConnection(messages);
            if (open == null || !messages.awaitPlace()) {
                break;
            }
            byte[] body = message.setNumber(number)
                    .setMade(MessageFile.micros())
                    .build()
                    .toByteArray();
            messages.publishing(number);
            try {
                open.publish(number, body);
            } catch (InterruptedException e) {
                throw e;
            } catch (Exception e) {
                answered(number, Answer.UNKNOWN);
            }
        }
        messages.awaitSettled();
    }

    /** Messages come in bursts of a millisecond, because a thread cannot sleep for less. */
    private static void awaitTurn(long at) throws InterruptedException {
        long ahead = at - System.nanoTime();
        if (ahead > TimeUnit.MILLISECONDS.toNanos(1)) {
            TimeUnit.NANOSECONDS.sleep(ahead);
        }
    }

    /** @return null if there is none, and nothing has happened for too long */
    private @Nullable QueueConnection awaitConnection(Published messages) throws InterruptedException {
        QueueConnection open = current();
        while (open == null && !messages.isStuck()) {
            TimeUnit.MILLISECONDS.sleep(10);
            open = current();
        }
        return open;
    }
}

package dev.chatterbox.clients;

import dev.chatterbox.connection.KeptConnection;
import dev.chatterbox.queue.QueueConnection;
import dev.chatterbox.queue.QueueListener;
import dev.chatterbox.queue.QueueSettings;
import dev.chatterbox.queue.Spread;
import dev.chatterbox.workloads.Dimension;
import dev.chatterbox.workloads.MessageFile;
import dev.chatterbox.workloads.Slice;
import dev.chatterbox.workloads.Workload;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.zip.CRC32;
import org.jspecify.annotations.Nullable;

/**
 * One of the two programs of one-way messages. Its connection stays open between slices that have as many topics and
 * groups, and is opened again when it breaks. What becomes of each message goes to a {@link MessageFile}, from which
 * the bench counts.
 *
 * <p>Arguments: {@code --type=CLASS} of the {@link QueueConnection}; those of {@link QueueSettings};
 * {@code --folder=PATH} for the files; {@code --patience=SECONDS} without any progress, after which it gives up.
 */
abstract class QueueProgram extends SliceProgram {

    private static final long LOOK_EVERY_MILLIS = 100;
    private static final Duration PAUSE = Duration.ofMillis(500);
    private static final Duration STOP_WITHIN = Duration.ofSeconds(3);

    /** How long the connection and what is made over it may take: hundreds of topics take a minute. */
    private static final Duration READY_WITHIN = Duration.ofSeconds(120);

    final QueueSettings settings;
    private volatile @Nullable KeptConnection<QueueConnection> connection;

    /** Says how many topics, groups and consumers the connection is for. */
    private Workload workload = Workload.parse("queue calls=1");

    QueueProgram(String[] arguments) {
        super(arguments);
        settings = QueueSettings.of(arguments, System.getenv());
    }

    @Override
    void open() {
        Executors.newSingleThreadScheduledExecutor(task -> daemon("looks", task))
                .scheduleWithFixedDelay(this::look, LOOK_EVERY_MILLIS, LOOK_EVERY_MILLIS, TimeUnit.MILLISECONDS);
    }

    static Thread daemon(String name, Runnable task) {
        Thread thread = new Thread(task, name);
        thread.setDaemon(true);
        return thread;
    }

    /** How long nothing may happen before the program gives up what is left. */
    final Duration patience(long otherwiseSeconds) {
        return Duration.ofSeconds(argument("patience").map(Long::valueOf).orElse(otherwiseSeconds));
    }

    final MessageFile file(String name) throws IOException {
        return new MessageFile(Path.of(argument("folder").orElse(".")).resolve(name));
    }

    /** What the groups of consumers know of a slice's messages. */
    final List<MessageFile> consumedFiles(Slice slice) throws IOException {
        List<MessageFile> files = new ArrayList<>();
        for (int group = 0; group < slice.workload().get(Dimension.GROUPS); group++) {
            files.add(file("consumed-" + group));
        }
        return files;
    }

    static Spread spread(Workload workload) {
        return new Spread(workload.get(Dimension.TOPICS), workload.get(Dimension.GROUPS));
    }

    /** Marks the messages of a slice. */
    static long run(Slice slice) {
        CRC32 sum = new CRC32();
        sum.update(slice.id().getBytes(StandardCharsets.UTF_8));
        return sum.getValue();
    }

    @Override
    public final String prepare(Slice slice) {
        try {
            note(slice);
            if (!slice.workload().sharesQueueWith(workload)) {
                close();
            }
            connect(slice.workload());
            return isReady() ? "" : "not-ready";
        } catch (IOException | InterruptedException e) {
            System.err.println("Not ready for " + slice.id() + ": " + e);
            return "not-ready";
        }
    }

    /** Opens a connection in the background, unless one is kept open already. */
    final void connect(Workload wanted) {
        if (connection == null) {
            workload = wanted;
            KeptConnection<QueueConnection> keeper =
                    new KeptConnection<>(settings.queue(), PAUSE, STOP_WITHIN, () -> open(wanted), this::disconnected);
            connection = keeper;
            keeper.start();
        }
    }

    private boolean isReady() throws InterruptedException {
        long end = System.nanoTime() + READY_WITHIN.toNanos();
        while (current() == null) {
            if (System.nanoTime() - end > 0) {
                return false;
            }
            TimeUnit.MILLISECONDS.sleep(5);
        }
        return true;
    }

    private QueueConnection open(Workload wanted) throws Exception {
        QueueConnection opened = connection();
        try {
            opened.open();
            opened(opened, wanted);
            return opened;
        } catch (Exception e) {
            opened.close();
            throw e;
        }
    }

    private QueueConnection connection() throws ReflectiveOperationException {
        return Class.forName(argument("type").orElse(""))
                .asSubclass(QueueConnection.class)
                .getConstructor(QueueSettings.class, QueueListener.class)
                .newInstance(settings, listener());
    }

    /** The open connection; null if none is open. */
    final @Nullable QueueConnection current() {
        KeptConnection<QueueConnection> keeper = connection;
        return keeper == null ? null : keeper.current();
    }

    /** Takes what the broker answers to messages that were published. */
    QueueListener listener() {
        return QueueListener.NONE;
    }

    /** Looks ten times per second at what is under way. */
    abstract void look();

    /** Notes a slice, before its first message comes. */
    void note(Slice slice) throws IOException {}

    /** Makes what is used over a connection, before it counts as open; runs again after an outage, or after a hold. */
    abstract void opened(QueueConnection open, Workload wanted) throws Exception;

    /** The connection has broken. */
    void disconnected() {}

    /** Leaves the queue. */
    void closing(QueueConnection open) throws Exception {}

    @Override
    final void close() {
        KeptConnection<QueueConnection> keeper = connection;
        QueueConnection open = current();
        if (open != null) {
            try {
                closing(open);
            } catch (Exception e) {
                System.err.println("The queue was not left in order: " + e);
            }
        }
        if (keeper != null) {
            keeper.stop();
            connection = null;
        }
    }
}

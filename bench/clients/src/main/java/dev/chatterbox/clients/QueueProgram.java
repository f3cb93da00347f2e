package dev.chatterbox.clients;

import dev.chatterbox.connection.KeptConnection;
import dev.chatterbox.queue.QueueConnection;
import dev.chatterbox.queue.QueueListener;
import dev.chatterbox.queue.QueueSettings;
import dev.chatterbox.queue.Spread;
import dev.chatterbox.workloads.MessageFile;
import dev.chatterbox.workloads.QueueShape;
import dev.chatterbox.workloads.Slice;
import dev.chatterbox.workloads.SliceChannel;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.reflect.InvocationTargetException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import java.util.zip.CRC32;
import org.jspecify.annotations.Nullable;

/**
 * One of the two programs of one-way messages. It lives for a whole measurement, and carries out its part of the slices
 * that the bench orders over the {@link SliceChannel}, one at a time. Its connection stays open between slices that have
 * as many topics and groups, and is opened again when it breaks. What becomes of each message goes to a
 * {@link MessageFile}, from which the bench counts.
 *
 * <p>Arguments: {@code --type=CLASS} of the {@link QueueConnection}; those of {@link QueueSettings};
 * {@code --folder=PATH} for the files; {@code --patience=SECONDS} without any progress, after which it gives up.
 */
abstract class QueueProgram implements SliceChannel.Worker {

    static final Duration LOOK_EVERY = Duration.ofMillis(100);

    private static final Duration PAUSE = Duration.ofMillis(500);
    private static final Duration STOP_WITHIN = Duration.ofSeconds(3);

    /** How long the connection and what is made over it may take: hundreds of topics take a minute. */
    private static final Duration READY_WITHIN = Duration.ofSeconds(120);

    final ScheduledExecutorService thread = Executors.newSingleThreadScheduledExecutor(task -> {
        Thread made = new Thread(task, "looks");
        made.setDaemon(true);
        return made;
    });

    private final String[] arguments;
    private final QueueSettings settings;
    private final QueueListener listener;
    private @Nullable SliceChannel channel;
    private @Nullable KeptConnection<QueueConnection> connection;
    private @Nullable QueueShape shape;

    QueueProgram(String[] arguments, QueueListener listener) {
        this.arguments = arguments;
        this.listener = listener;
        settings = QueueSettings.of(arguments, System.getenv());
    }

    /** Runs until the bench closes the channel, and ends the JVM: with status 1 if nothing could be run. */
    final void run() {
        int status = 0;
        try (SliceChannel bench = SliceChannel.connect(System.getenv().getOrDefault(SliceChannel.VARIABLE, ""))) {
            channel = bench;
            bench.serve(this);
        } catch (IOException | RuntimeException e) {
            System.err.println("The program cannot run: " + e);
            status = 1;
        }
        close();
        System.exit(status);
    }

    final String argument(String name, String otherwise) {
        String prefix = "--" + name + "=";
        return Stream.of(arguments)
                .filter(argument -> argument.startsWith(prefix))
                .map(argument -> argument.substring(prefix.length()))
                .findFirst()
                .orElse(otherwise);
    }

    /** How long nothing may happen before the program gives up what is left. */
    final Duration patience(int otherwiseSeconds) {
        return Duration.ofSeconds(Integer.parseInt(argument("patience", Integer.toString(otherwiseSeconds))));
    }

    final MessageFile file(String name) throws IOException {
        return new MessageFile(Path.of(argument("folder", ".")).resolve(name));
    }

    static Spread spread(QueueShape shape) {
        return new Spread(shape.topics(), shape.groups());
    }

    /** Marks the messages of a slice. */
    static long run(String id) {
        CRC32 sum = new CRC32();
        sum.update(id.getBytes(StandardCharsets.UTF_8));
        return sum.getValue();
    }

    @Override
    public final void prepare(Slice slice) {
        // How many messages are on their way makes no other queue.
        QueueShape wanted = slice.workload().shape().queue().withPublishers(1);
        try {
            note(slice);
            if (wanted.equals(shape)) {
                resume();
            } else {
                close();
                shape = wanted;
                KeptConnection<QueueConnection> made = new KeptConnection<>(
                        settings.queue(), PAUSE, STOP_WITHIN, () -> open(wanted), this::disconnected);
                connection = made;
                made.start();
            }
            done(slice.id(), isReady() ? "" : "not-ready");
        } catch (IOException | InterruptedException e) {
            System.err.println("Not ready for " + slice.id() + ": " + e);
            done(slice.id(), "not-ready");
        }
    }

    private boolean isReady() throws InterruptedException {
        long end = System.nanoTime() + READY_WITHIN.toNanos();
        while (!ready()) {
            if (System.nanoTime() - end > 0) {
                return false;
            }
            TimeUnit.MILLISECONDS.sleep(5);
        }
        return true;
    }

    private QueueConnection open(QueueShape wanted) throws Exception {
        QueueConnection opened = connect();
        try {
            opened(opened, wanted);
            return opened;
        } catch (Exception e) {
            opened.close();
            throw e;
        }
    }

    private QueueConnection connect() throws Exception {
        try {
            return Class.forName(argument("type", ""))
                    .asSubclass(QueueConnection.class)
                    .getConstructor(QueueSettings.class, QueueListener.class)
                    .newInstance(settings, listener);
        } catch (InvocationTargetException e) {
            throw e.getCause() instanceof Exception cause ? cause : e;
        }
    }

    /** The open connection; null if none is open. */
    final @Nullable QueueConnection current() {
        KeptConnection<QueueConnection> kept = connection;
        return kept == null ? null : kept.current();
    }

    /** Topics, groups and consumers of the last slice; null before the first one. */
    final @Nullable QueueShape shape() {
        return shape;
    }

    /** Notes a slice, before its first message comes. */
    abstract void note(Slice slice) throws IOException;

    /** Goes on over the connection of the slice before. */
    void resume() {}

    /** Makes what is used over a connection, before it counts as open; runs again after an outage. */
    abstract void opened(QueueConnection open, QueueShape wanted) throws Exception;

    /** Whether messages can be sent, or come. */
    boolean ready() {
        return current() != null;
    }

    /** The connection has broken. */
    void disconnected() {}

    /** Leaves the queue. */
    void closing(QueueConnection open) throws Exception {}

    private void close() {
        KeptConnection<QueueConnection> kept = connection;
        QueueConnection open = current();
        if (open != null) {
            try {
                closing(open);
            } catch (Exception e) {
                System.err.println("The queue was not left in order: " + e);
            }
        }
        if (kept != null) {
            kept.stop();
        }
    }

    final void done(String id, String failure) {
        SliceChannel bench = channel;
        if (bench != null) {
            try {
                bench.done(id, failure);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }
}

package dev.chatterbox.workloads;

import java.io.BufferedReader;
import java.io.Closeable;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * A connection between the bench, which orders slices, and a process that carries them out: the load generator, a bare
 * client, or a program of one-way messages. Each line is a {@link Slice} one way and its {@link SliceResult} the other.
 * The process says hello with the token with which it was started. Either end sees at once when the other one is gone.
 */
public final class SliceChannel implements Closeable {

    /** The environment variable that names address and token: {@code 127.0.0.1:40123/TOKEN}. */
    public static final String VARIABLE = "CHATTERBOX_SLICES";

    private static final String HELLO = "hello ";
    private static final String PREPARE = "prepare ";
    private static final String HOLD = "hold ";
    private static final String AT = "at ";
    private static final String CLOCK = "clock ";

    private static final int CLOCK_QUESTIONS = 9;
    private static final Duration TRY_AGAIN = Duration.ofMillis(500);

    private final Socket socket;
    private final BufferedReader in;
    private final OutputStream out;

    private SliceChannel(Socket socket) throws IOException {
        this.socket = socket;
        socket.setTcpNoDelay(true);
        in = new BufferedReader(new InputStreamReader(socket.getInputStream(), StandardCharsets.UTF_8));
        out = socket.getOutputStream();
    }

    /** The port at which the bench waits for processes. */
    public static final class Listener implements Closeable {

        private final ServerSocket server;
        private final String token;

        /** A port on loopback for processes that the bench starts. */
        public Listener() throws IOException {
            this(
                    new InetSocketAddress(InetAddress.getLoopbackAddress(), 0),
                    UUID.randomUUID().toString());
        }

        /** A port for processes that somebody else starts, who knows the token. */
        public Listener(InetSocketAddress address, String token) throws IOException {
            this.token = token;
            server = new ServerSocket();
            server.setReuseAddress(true);
            server.bind(address, 64);
        }

        /** The variable that the process must find in its environment. */
        public Map<String, String> environment() {
            return Map.of(
                    VARIABLE,
                    "%s:%d/%s".formatted(server.getInetAddress().getHostAddress(), server.getLocalPort(), token));
        }

        /**
         * Waits for the process that says hello with the token; empty if it did not come in time. Sends others away.
         */
        public Optional<SliceChannel> accept(Duration patience) throws IOException {
            long deadline = System.nanoTime() + patience.toNanos();
            while (true) {
                long left = (deadline - System.nanoTime()) / 1_000_000;
                if (left <= 0) {
                    return Optional.empty();
                }
                server.setSoTimeout((int) left);
                try {
                    SliceChannel channel = new SliceChannel(server.accept());
                    if (saysHello(channel)) {
                        return Optional.of(channel);
                    }
                    channel.close();
                } catch (SocketTimeoutException e) {
                    // The loop looks at the patience again.
                }
            }
        }

        /** Whatever a stranger does on its connection, the bench goes on waiting for the process. */
        private boolean saysHello(SliceChannel channel) {
            try {
                channel.socket.setSoTimeout(1000);
                return (HELLO + token).equals(channel.in.readLine());
            } catch (IOException silentOrGone) {
                return false;
            }
        }

        @Override
        public void close() throws IOException {
            server.close();
        }
    }

    /**
     * As {@link #connect(String)}, but a bench that is not there yet is waited for.
     *
     * @throws IOException it did not come in this time, or the thread was interrupted
     */
    public static SliceChannel await(String variable, Duration patience) throws IOException {
        long deadline = System.nanoTime() + patience.toNanos();
        while (true) {
            try {
                return connect(variable);
            } catch (IOException e) {
                LockSupport.parkNanos(TRY_AGAIN.toNanos());
                if (System.nanoTime() > deadline || Thread.currentThread().isInterrupted()) {
                    throw e;
                }
            }
        }
    }

    /**
     * Connects to the bench that started this process.
     *
     * @param variable the value of {@link #VARIABLE}
     * @throws WorkloadException the value is no address with a token
     */
    public static SliceChannel connect(String variable) throws IOException {
        int slash = variable.indexOf('/');
        int colon = variable.lastIndexOf(':', slash);
        Workload.require(
                colon > 0 && variable.substring(colon + 1, slash).matches("[0-9]{1,5}"),
                "%s must be HOST:PORT/TOKEN, but it is '%s'",
                VARIABLE,
                variable);
        Socket socket = new Socket();
        socket.connect(
                new InetSocketAddress(
                        variable.substring(0, colon), Integer.parseInt(variable.substring(colon + 1, slash))),
                5000);
        SliceChannel channel = new SliceChannel(socket);
        channel.write(HELLO + variable.substring(slash + 1));
        return channel;
    }

    /** For the bench: orders a slice. */
    public void order(Slice slice) throws IOException {
        write(slice.line());
    }

    /** For the bench: lets a program of one-way messages get ready for a slice; {@link #result} says when it is. */
    public void prepare(Slice slice) throws IOException {
        write(PREPARE + slice.line());
    }

    /** For the bench: lets the consumers of one-way messages wait; {@link #result} says when they do. */
    public void hold(Slice slice) throws IOException {
        write(HOLD + slice.id());
    }

    /**
     * For the bench: orders a slice that begins at a time by the process's clock, so that several processes begin at
     * once.
     *
     * @param millis milliseconds since 1970
     */
    public void order(Slice slice, long millis) throws IOException {
        write(AT + millis + " " + slice.line());
    }

    /**
     * For the bench, while no slice is under way: how many milliseconds the process's clock is ahead of the bench's. Of
     * several answers the quickest counts; it is exact to half of the time that it took.
     *
     * @throws IOException the process is gone, or does not answer in a second
     */
    public double millisAhead() throws IOException {
        socket.setSoTimeout(1000);
        double ahead = 0;
        long quickest = Long.MAX_VALUE;
        for (int question = 0; question < CLOCK_QUESTIONS; question++) {
            long begin = System.nanoTime();
            long now = System.currentTimeMillis();
            write(CLOCK);
            String line = in.readLine();
            long nanos = System.nanoTime() - begin;
            if (line == null || !line.startsWith(CLOCK)) {
                throw new EOFException("no answer to a question about its clock");
            }
            if (nanos < quickest) {
                quickest = nanos;
                ahead = Long.parseLong(line.substring(CLOCK.length())) - now - nanos / 2e6;
            }
        }
        return ahead;
    }

    /** For the bench: the next result; empty if the process is gone, or if no result came in this time. */
    public Optional<SliceResult> result(Duration patience) throws IOException {
        socket.setSoTimeout((int) Math.max(1, patience.toMillis()));
        try {
            String line = in.readLine();
            return Optional.ofNullable(line).map(SliceResult::parse);
        } catch (SocketTimeoutException e) {
            return Optional.empty();
        }
    }

    /** For the process: answers with the result of a slice. */
    public void answer(SliceResult result) throws IOException {
        write(result.line());
    }

    /**
     * For a program of one-way messages: it is ready for a slice, or has done its part.
     *
     * @param failure in a word; empty if there was none
     */
    public void done(String id, String failure) throws IOException {
        write(SliceResult.done(id, failure));
    }

    /** What the process does for an order. The thread that serves the channel calls it. */
    public interface Worker {

        /** Gets ready for a slice, and calls {@link SliceChannel#done} when it is. */
        default void prepare(Slice slice) {}

        /** Lets the consumers of this slice wait, and calls {@link SliceChannel#done} when none consumes. */
        default void hold(String id) {}

        /** Begins the slice and returns at once. The thread that ends the slice calls {@link SliceChannel#answer}. */
        void begin(Slice slice);
    }

    /** For the process: serves until the bench closes the channel. */
    public void serve(Worker worker) throws IOException {
        socket.setSoTimeout(0);
        String line;
        while ((line = in.readLine()) != null) {
            if (line.startsWith(PREPARE)) {
                worker.prepare(Slice.parse(line.substring(PREPARE.length())));
            } else if (line.startsWith(HOLD)) {
                worker.hold(line.substring(HOLD.length()));
            } else if (line.startsWith(CLOCK)) {
                write(CLOCK + System.currentTimeMillis());
            } else if (line.startsWith(AT)) {
                String[] words = line.split(" ", 3);
                Slice slice = Slice.parse(words[2]);
                long left = Long.parseLong(words[1]) - System.currentTimeMillis();
                CompletableFuture.delayedExecutor(Math.max(0, left), TimeUnit.MILLISECONDS)
                        .execute(() -> worker.begin(slice));
            } else {
                worker.begin(Slice.parse(line));
            }
        }
    }

    private synchronized void write(String line) throws IOException {
        out.write((line + "\n").getBytes(StandardCharsets.UTF_8));
        out.flush();
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}

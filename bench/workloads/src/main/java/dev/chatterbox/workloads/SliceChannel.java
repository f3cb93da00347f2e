package dev.chatterbox.workloads;

import com.google.protobuf.MessageLite;
import dev.chatterbox.proto.SliceAnswer;
import dev.chatterbox.proto.SliceOrder;
import java.io.BufferedInputStream;
import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A connection between the bench, which orders slices, and a process that carries them out: the load generator, a bare
 * client, or a program of one-way messages. Orders go one way and answers the other, as {@code slices.proto} has them.
 * The process first sends the token with which it was started. Either end sees at once when the other one is gone.
 */
public final class SliceChannel implements Closeable {

    /** The environment variable that names address and token: {@code 127.0.0.1:40123/TOKEN}. */
    public static final String VARIABLE = "CHATTERBOX_SLICES";

    private static final Pattern ADDRESS = Pattern.compile("([^/]+):([0-9]{1,5})/(.*)");

    private static final Duration HELLO_WITHIN = Duration.ofSeconds(1);
    private static final Duration TRY_AGAIN = Duration.ofMillis(500);

    private final Socket socket;
    private final InputStream in;

    private SliceChannel(Socket socket) throws IOException {
        this.socket = socket;
        socket.setTcpNoDelay(true);
        in = new BufferedInputStream(socket.getInputStream());
    }

    /** The port at which the bench waits for processes. */
    public static final class Listener implements Closeable {

        private final ServerSocket server;
        private final byte[] token;

        /** A port on loopback for processes that the bench starts. */
        public Listener() throws IOException {
            this(
                    new InetSocketAddress(InetAddress.getLoopbackAddress(), 0),
                    UUID.randomUUID().toString());
        }

        /** A port for processes that somebody else starts, who knows the token. */
        public Listener(InetSocketAddress address, String token) throws IOException {
            this.token = token.getBytes(StandardCharsets.UTF_8);
            server = new ServerSocket();
            server.setReuseAddress(true);
            server.bind(address, 64);
        }

        /** The variable that the process must find in its environment. */
        public Map<String, String> environment() {
            return Map.of(
                    VARIABLE,
                    "%s:%d/%s"
                            .formatted(
                                    server.getInetAddress().getHostAddress(),
                                    server.getLocalPort(),
                                    new String(token, StandardCharsets.UTF_8)));
        }

        /**
         * Waits for the process that says hello with the token; empty if it did not come in time. Sends others away.
         */
        public Optional<SliceChannel> accept(Duration patience) throws IOException {
            long deadline = System.nanoTime() + patience.toNanos();
            while (true) {
                int left = millisUntil(deadline);
                if (left <= 0) {
                    return Optional.empty();
                }
                server.setSoTimeout(left);
                try {
                    Socket socket = server.accept();
                    if (isTokenOf(socket)) {
                        return Optional.of(new SliceChannel(socket));
                    }
                    socket.close();
                } catch (SocketTimeoutException e) {
                    // The loop looks at the patience again.
                }
            }
        }

        /** Reads no more than the token's length, and for no longer than a second, whatever a stranger sends. */
        private boolean isTokenOf(Socket socket) {
            byte[] said = new byte[token.length];
            long deadline = System.nanoTime() + HELLO_WITHIN.toNanos();
            try {
                for (int length = 0; length < said.length; ) {
                    socket.setSoTimeout(Math.max(1, millisUntil(deadline)));
                    int read = socket.getInputStream().read(said, length, said.length - length);
                    if (read < 0 || millisUntil(deadline) <= 0) {
                        return false;
                    }
                    length += read;
                }
                return Arrays.equals(said, token);
            } catch (IOException silentOrGone) {
                return false;
            }
        }

        @Override
        public void close() throws IOException {
            server.close();
        }
    }

    private static int millisUntil(long nanoTime) {
        return (int) Math.min(Integer.MAX_VALUE, TimeUnit.NANOSECONDS.toMillis(nanoTime - System.nanoTime()));
    }

    /**
     * Connects to the bench that started this process.
     *
     * @param variable the value of {@link #VARIABLE}
     * @param patience how long a bench is waited for that is not there yet
     * @throws IOException it did not come in this time, or the thread was interrupted
     * @throws WorkloadException the value is no address with a token
     */
    public static SliceChannel connect(String variable, Duration patience) throws IOException {
        Matcher address = ADDRESS.matcher(variable);
        Workload.require(address.matches(), "%s must be HOST:PORT/TOKEN, but it is '%s'", VARIABLE, variable);
        long deadline = System.nanoTime() + patience.toNanos();
        while (true) {
            try {
                Socket socket = new Socket();
                socket.connect(new InetSocketAddress(address.group(1), Integer.parseInt(address.group(2))), 5000);
                socket.getOutputStream().write(address.group(3).getBytes(StandardCharsets.UTF_8));
                return new SliceChannel(socket);
            } catch (IOException e) {
                LockSupport.parkNanos(TRY_AGAIN.toNanos());
                if (System.nanoTime() > deadline || Thread.currentThread().isInterrupted()) {
                    throw e;
                }
            }
        }
    }

    /** For the bench: orders a slice. */
    public void order(Slice slice) throws IOException {
        write(slice.order(SliceOrder.Kind.BEGIN));
    }

    /** For the bench: lets a program of one-way messages get ready for a slice; {@link #result} says when it is. */
    public void prepare(Slice slice) throws IOException {
        write(slice.order(SliceOrder.Kind.PREPARE));
    }

    /** For the bench: lets the consumers of one-way messages wait; {@link #result} says when they do. */
    public void hold(Slice slice) throws IOException {
        write(slice.order(SliceOrder.Kind.HOLD));
    }

    /** For the bench: the next result; empty if the process is gone, or if no result came in this time. */
    public Optional<SliceResult> result(Duration patience) throws IOException {
        socket.setSoTimeout((int) Math.max(1, patience.toMillis()));
        try {
            return Optional.ofNullable(SliceAnswer.parseDelimitedFrom(in)).map(SliceResult::of);
        } catch (SocketTimeoutException e) {
            return Optional.empty();
        }
    }

    /** What the process does for an order. The thread that serves the channel calls it. */
    public interface Worker {

        /**
         * Gets ready for a slice.
         *
         * @return what failed, in a word; empty if nothing did
         */
        default String prepare(Slice slice) {
            return "";
        }

        /** Lets the consumers of this slice wait, and returns when none consumes. */
        default void hold(Slice slice) {}

        /**
         * Begins the slice and returns at once.
         *
         * @param answer takes the result, on any thread
         */
        void begin(Slice slice, Consumer<SliceResult> answer);
    }

    /**
     * For the process: serves until the bench closes the channel.
     *
     * @throws IOException the bench ordered nothing: it sends away whoever has another token
     */
    public void serve(Worker worker) throws IOException {
        socket.setSoTimeout(0);
        SliceOrder order = SliceOrder.parseDelimitedFrom(in);
        if (order == null) {
            throw new IOException("the bench closed the connection before it ordered anything: is the token right?");
        }
        for (; order != null; order = SliceOrder.parseDelimitedFrom(in)) {
            Slice slice = Slice.of(order);
            if (order.getKind() == SliceOrder.Kind.PREPARE) {
                answer(SliceResult.done(slice, worker.prepare(slice)));
            } else if (order.getKind() == SliceOrder.Kind.HOLD) {
                worker.hold(slice);
                answer(SliceResult.done(slice, ""));
            } else {
                worker.begin(slice, this::answer);
            }
        }
    }

    private void answer(SliceResult result) {
        try {
            write(result.answer());
        } catch (IOException e) {
            throw new UncheckedIOException("the bench does not take the result of " + result.id(), e);
        }
    }

    private synchronized void write(MessageLite message) throws IOException {
        message.writeDelimitedTo(socket.getOutputStream());
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}

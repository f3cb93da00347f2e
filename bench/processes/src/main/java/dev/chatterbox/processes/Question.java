package dev.chatterbox.processes;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * What a server of some protocol answers at once, on a connection of which it knows nothing yet: how it is found to be
 * ready, and how the round trip to it is measured. A character of its texts is a byte.
 *
 * @param ask what is sent
 * @param answer what is then in what comes back; the server may say other things before it
 */
public record Question(String ask, String answer) {

    /**
     * Before it is asked, so that a proxy between has opened its own connection by then: what is measured is a round
     * trip over a connection, and not the opening of one.
     */
    public static final long OPENING_NANOS = TimeUnit.MILLISECONDS.toNanos(2);

    /**
     * Asks a server of this machine on a new connection, which it closes again; on the calling thread.
     *
     * @param timeout of the connection and of the answer
     * @return nanoseconds from the question to its answer
     * @throws IOException nobody answers in time, or with something else
     */
    public long roundTripNanos(int port, Duration timeout) throws IOException {
        try (Socket socket = new Socket()) {
            socket.setTcpNoDelay(true);
            socket.connect(new InetSocketAddress("127.0.0.1", port), Math.toIntExact(timeout.toMillis()));
            LockSupport.parkNanos(OPENING_NANOS);
            long asked = System.nanoTime();
            socket.getOutputStream().write(ask.getBytes(StandardCharsets.ISO_8859_1));
            awaitAnswer(socket, asked + timeout.toNanos());
            return System.nanoTime() - asked;
        }
    }

    /** Whether a server of this machine answers it within a second, for a port that is another's listens as well. */
    public boolean isAnswered(int port) throws IOException {
        return roundTripNanos(port, Duration.ofSeconds(1)) > 0;
    }

    private void awaitAnswer(Socket socket, long deadline) throws IOException {
        InputStream in = socket.getInputStream();
        StringBuilder said = new StringBuilder();
        byte[] buffer = new byte[8192];
        while (said.indexOf(answer) < 0) {
            long left = TimeUnit.NANOSECONDS.toMillis(deadline - System.nanoTime());
            if (left <= 0) {
                throw new SocketTimeoutException("port %d gave no answer".formatted(socket.getPort()));
            }
            socket.setSoTimeout((int) left);
            int read = in.read(buffer);
            if (read < 0) {
                throw new EOFException("port %d gave no answer".formatted(socket.getPort()));
            }
            said.append(new String(buffer, 0, read, StandardCharsets.ISO_8859_1));
        }
    }
}

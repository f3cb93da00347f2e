package dev.chatterbox.processes;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HexFormat;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * Bytes that a server of some protocol answers at once on a new connection. They show that the server is ready, and
 * they measure the round trip to it. Each character of the texts is a byte.
 *
 * @param request the bytes that are sent
 * @param reply bytes that must then come back; the server may send others before them
 */
public record Probe(String request, String reply) {

    /**
     * The pause between connecting and the request. A proxy in between opens its own connection meanwhile, so that the
     * time of the request does not include that.
     */
    public static final long OPENING_NANOS = TimeUnit.MILLISECONDS.toNanos(2);

    /** The text for bytes in hexadecimal; blanks between them have no meaning. */
    public static String bytes(String hexadecimal) {
        return new String(HexFormat.of().parseHex(hexadecimal.replace(" ", "")), StandardCharsets.ISO_8859_1);
    }

    /**
     * Sends the request on a new connection to a server of this machine, and closes it; on the calling thread.
     *
     * @param timeout for the connection, and for the reply
     * @return nanoseconds from the request to its reply
     * @throws IOException the reply does not come in time, or the server sends something else
     */
    public long roundTripNanos(int port, Duration timeout) throws IOException {
        return ask(port, timeout).nanos;
    }

    /** Like {@link #roundTripNanos}, but returns what the server has sent, up to the reply and perhaps more. */
    public String answer(int port, Duration timeout) throws IOException {
        return ask(port, timeout).received;
    }

    private record Answer(long nanos, String received) {}

    private Answer ask(int port, Duration timeout) throws IOException {
        try (Socket socket = new Socket()) {
            socket.setTcpNoDelay(true);
            socket.connect(Loopback.socket(port), Math.toIntExact(timeout.toMillis()));
            LockSupport.parkNanos(OPENING_NANOS);
            long sent = System.nanoTime();
            socket.getOutputStream().write(request.getBytes(StandardCharsets.ISO_8859_1));
            String received = awaitReply(socket, sent + timeout.toNanos());
            return new Answer(System.nanoTime() - sent, received);
        }
    }

    /** Whether a server of this machine replies within a second. A port that only listens does not. */
    public boolean isAnswered(int port) throws IOException {
        return roundTripNanos(port, Duration.ofSeconds(1)) > 0;
    }

    private String awaitReply(Socket socket, long deadline) throws IOException {
        InputStream in = socket.getInputStream();
        StringBuilder received = new StringBuilder();
        byte[] buffer = new byte[8192];
        while (received.indexOf(reply) < 0) {
            long left = TimeUnit.NANOSECONDS.toMillis(deadline - System.nanoTime());
            if (left <= 0) {
                throw new SocketTimeoutException("port %d gave no answer".formatted(socket.getPort()));
            }
            socket.setSoTimeout((int) left);
            int read = in.read(buffer);
            if (read < 0) {
                throw new EOFException("port %d gave no answer".formatted(socket.getPort()));
            }
            received.append(new String(buffer, 0, read, StandardCharsets.ISO_8859_1));
        }
        return received.toString();
    }
}

package dev.chatterbox.resilience;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Locale;

/**
 * A connection to the aggregator, for one thread. Unlike an HTTP client of a library it repeats nothing, shares nothing,
 * and does only what it is told: a request may be sent, and its answer never be read.
 */
final class HttpConnection implements AutoCloseable {

    /** Much longer than any answer may take: what lasts longer counts as never answered. */
    private static final int PATIENCE_MILLIS = 150_000;

    private static final int CONNECT_MILLIS = 5_000;

    private final Socket socket;
    private final InputStream in;

    record Response(int status, byte[] body) {}

    HttpConnection(int port) throws IOException {
        this(port, 0);
    }

    /** @param receiveBuffer in bytes: what the system takes from the aggregator before it is read; 0 for its default */
    HttpConnection(int port, int receiveBuffer) throws IOException {
        socket = new Socket();
        if (receiveBuffer > 0) {
            socket.setReceiveBufferSize(receiveBuffer);
        }
        socket.setTcpNoDelay(true);
        socket.setSoTimeout(PATIENCE_MILLIS);
        try {
            socket.connect(new InetSocketAddress("127.0.0.1", port), CONNECT_MILLIS);
        } catch (IOException e) {
            socket.close();
            throw e;
        }
        in = new BufferedInputStream(socket.getInputStream());
    }

    /** Asks for an array. */
    void send(String path) throws IOException {
        send(path, "application/json");
    }

    /** Asks for lines as they come. */
    void sendForLines(String path) throws IOException {
        send(path, "application/x-ndjson");
    }

    private void send(String path, String accept) throws IOException {
        socket.getOutputStream()
                .write("GET %s HTTP/1.1\r\nHost: localhost\r\nAccept: %s\r\n\r\n"
                        .formatted(path, accept)
                        .getBytes(StandardCharsets.US_ASCII));
    }

    /** @throws EOFException the connection ended before the answer did */
    Response read() throws IOException {
        String[] status = line().split(" ");
        int length = -1;
        for (String header = line(); !header.isEmpty(); header = line()) {
            if (header.toLowerCase(Locale.ROOT).startsWith("content-length:")) {
                length = Integer.parseInt(
                        header.substring(header.indexOf(':') + 1).strip());
            }
        }
        return new Response(Integer.parseInt(status[1]), length < 0 ? chunks() : bytes(length));
    }

    /** Each behind a line with its length; the last is empty. */
    private byte[] chunks() throws IOException {
        ByteArrayOutputStream body = new ByteArrayOutputStream();
        for (int length = -1; length != 0; ) {
            length = Integer.parseInt(line(), 16);
            body.write(bytes(length));
            line();
        }
        return body.toByteArray();
    }

    private byte[] bytes(int length) throws IOException {
        byte[] bytes = in.readNBytes(length);
        if (bytes.length < length) {
            throw new EOFException("%d of %d bytes".formatted(bytes.length, length));
        }
        return bytes;
    }

    private String line() throws IOException {
        StringBuilder line = new StringBuilder();
        for (int next = in.read(); next != '\n'; next = in.read()) {
            if (next < 0) {
                throw new EOFException("no answer");
            }
            if (next != '\r') {
                line.append((char) next);
            }
        }
        return line.toString();
    }

    /** Lets the connection end as that of a crashed client: with a reset, and not in order. */
    void closeWithReset() throws IOException {
        socket.setSoLinger(true, 0);
        socket.close();
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}

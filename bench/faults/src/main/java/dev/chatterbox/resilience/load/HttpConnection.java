package dev.chatterbox.resilience.load;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.time.Duration;
import org.apache.hc.core5.http.ClassicHttpResponse;
import org.apache.hc.core5.http.HttpException;
import org.apache.hc.core5.http.config.Http1Config;
import org.apache.hc.core5.http.impl.io.DefaultBHttpClientConnection;
import org.apache.hc.core5.http.io.entity.EntityUtils;
import org.apache.hc.core5.http.io.support.ClassicRequestBuilder;
import org.apache.hc.core5.io.CloseMode;

/**
 * A connection to the aggregator, for one thread. Unlike an HTTP client it repeats nothing and shares nothing, and the
 * caller may send a request without reading the answer.
 */
final class HttpConnection implements AutoCloseable {

    /** The media type of an answer that is one array. */
    static final String ARRAY = "application/json";

    /** The media type of an answer with a line for each call, in the order in which the calls end. */
    static final String LINES = "application/x-ndjson";

    private static final int CONNECT_MILLIS = 5_000;

    private final DefaultBHttpClientConnection connection = new DefaultBHttpClientConnection(Http1Config.DEFAULT);

    record Response(int status, byte[] body) {}

    /**
     * @param patience how long an answer may be silent
     * @param receiveBuffer bytes that the system takes from the aggregator before they are read; 0 for its default
     */
    HttpConnection(int port, Duration patience, int receiveBuffer) throws IOException {
        Socket socket = new Socket();
        try {
            if (receiveBuffer > 0) {
                socket.setReceiveBufferSize(receiveBuffer);
            }
            socket.setTcpNoDelay(true);
            socket.setSoTimeout((int) patience.toMillis());
            socket.connect(new InetSocketAddress("127.0.0.1", port), CONNECT_MILLIS);
            connection.bind(socket);
        } catch (IOException e) {
            socket.close();
            throw e;
        }
    }

    void send(String path, String accept) throws IOException {
        try {
            connection.sendRequestHeader(ClassicRequestBuilder.get(path)
                    .addHeader("Host", "localhost")
                    .addHeader("Accept", accept)
                    .build());
            connection.flush();
        } catch (HttpException e) {
            throw new IOException(e);
        }
    }

    /** @throws IOException the connection ended before the answer did, or the answer is not HTTP */
    Response read() throws IOException {
        try {
            ClassicHttpResponse response = connection.receiveResponseHeader();
            connection.receiveResponseEntity(response);
            return new Response(response.getCode(), EntityUtils.toByteArray(response.getEntity()));
        } catch (HttpException e) {
            throw new IOException(e);
        }
    }

    /** Ends the connection with a reset, as that of a crashed client, and not in order. */
    void reset() {
        connection.close(CloseMode.IMMEDIATE);
    }

    /** Ends the connection in order. */
    @Override
    public void close() {
        connection.close(CloseMode.GRACEFUL);
    }
}

package dev.chatterbox.resilience.load;

import dev.chatterbox.processes.Loopback;
import java.io.IOException;
import java.net.Socket;
import java.time.Duration;
import org.apache.hc.core5.http.ClassicHttpResponse;
import org.apache.hc.core5.http.HttpException;
import org.apache.hc.core5.http.config.Http1Config;
import org.apache.hc.core5.http.impl.io.DefaultBHttpClientConnection;
import org.apache.hc.core5.http.io.entity.EntityUtils;
import org.apache.hc.core5.http.io.support.ClassicRequestBuilder;
import org.apache.hc.core5.io.CloseMode;

/** A connection to the aggregator, for one thread. Unlike an HTTP client it repeats nothing and shares nothing. */
final class HttpConnection implements AutoCloseable {

    private static final int CONNECT_MILLIS = 5_000;

    private final DefaultBHttpClientConnection connection = new DefaultBHttpClientConnection(Http1Config.DEFAULT);

    record Response(int status, byte[] body) {}

    /** @param patience how long an answer may be silent */
    HttpConnection(int port, Duration patience) throws IOException {
        Socket socket = new Socket();
        try {
            socket.setTcpNoDelay(true);
            socket.setSoTimeout((int) patience.toMillis());
            socket.connect(Loopback.socket(port), CONNECT_MILLIS);
            connection.bind(socket);
        } catch (IOException e) {
            socket.close();
            throw e;
        }
    }

    /** @throws IOException the connection ended before the answer did, or the answer is not HTTP */
    Response get(String path) throws IOException {
        try {
            connection.sendRequestHeader(ClassicRequestBuilder.get(path)
                    .addHeader("Host", "localhost")
                    .addHeader("Accept", "application/json")
                    .build());
            connection.flush();
            ClassicHttpResponse response = connection.receiveResponseHeader();
            connection.receiveResponseEntity(response);
            return new Response(response.getCode(), EntityUtils.toByteArray(response.getEntity()));
        } catch (HttpException e) {
            throw new IOException(e);
        }
    }

    @Override
    public void close() {
        connection.close(CloseMode.GRACEFUL);
    }
}

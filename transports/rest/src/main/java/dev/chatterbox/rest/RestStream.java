package dev.chatterbox.rest;

import dev.chatterbox.client.CallException;
import dev.chatterbox.client.MessageLimit;
import dev.chatterbox.client.PendingCalls;
import dev.chatterbox.client.SquareRequest;
import dev.chatterbox.client.StreamedCalls;
import dev.chatterbox.http.HttpMessages;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.EventLoop;
import io.netty.handler.codec.http.HttpHeaderNames;
import java.nio.charset.StandardCharsets;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Publisher;
import reactor.core.publisher.Sinks;
import reactor.netty.Connection;
import reactor.netty.NettyOutbound;
import reactor.netty.http.client.HttpClientRequest;
import reactor.netty.http.client.HttpClientResponse;

/**
 * One HTTP request whose body and reply are lines: one number per line, and one {@code {"3":9}} per line. Inputs that
 * come while the event loop is busy are written together. Replies arrive on the connection's event loop.
 */
final class RestStream extends StreamedCalls {

    static final MessageLimit LIMIT = new MessageLimit(
            (int) SquareRequest.mostBytes(1, 0), "its streams are lines of JSON, which have no payload");

    private static final Pattern LINE = Pattern.compile("\\{\"([0-9]{1,10})\":([0-9]{1,19})}");
    private static final String ERROR = "{\"error\":";

    /** The longest line of an output; an error reply is cut to this length. */
    private static final int LONGEST_LINE = 1_000;

    private final PooledRestClient client;
    private volatile LinesCall call;

    /** That of the work of all inputs; set by the first one. */
    private volatile String query = "";

    private final Sinks.Many<ByteBuf> chunks = Sinks.many().unicast().onBackpressureBuffer();

    /** Its monitor guards itself and the four fields below it. */
    private final StringBuilder unsent = new StringBuilder();

    private boolean opened;
    private boolean allSent;
    private boolean draining;
    private @Nullable EventLoop loop;

    RestStream(PooledRestClient client, PendingCalls pending, int n) {
        super(pending, n);
        this.client = client;
        call = new LinesCall(client.next());
    }

    @Override
    protected void send(SquareRequest request, boolean last) {
        boolean open;
        EventLoop drainer;
        synchronized (unsent) {
            unsent.append(request.number()).append('\n');
            allSent = last;
            open = !opened;
            opened = true;
            drainer = draining ? null : loop;
            draining = draining || drainer != null;
        }
        if (open) {
            query = request.work().query();
            open();
        } else if (drainer != null) {
            drainer.execute(this::drain);
        }
    }

    private void open() {
        PooledRestClient.Server server = client.servers.get(call.server);
        server.post()
                .uri(server.path() + "stream" + query)
                .send(call::sending)
                .responseConnection(call::answered)
                .subscribe(call);
    }

    /** Runs on the event loop. */
    private void drain() {
        String lines;
        boolean end;
        synchronized (unsent) {
            lines = unsent.toString();
            unsent.setLength(0);
            draining = false;
            end = allSent;
        }
        if (!lines.isEmpty()) {
            chunks.tryEmitNext(Unpooled.wrappedBuffer(lines.getBytes(StandardCharsets.US_ASCII)));
        }
        if (end) {
            chunks.tryEmitComplete();
        }
    }

    @Override
    protected void cancel() {
        if (!call.over) {
            call.dispose();
        }
    }

    private final class LinesCall extends HttpCall<ByteBuf> {

        private final int server;
        private int status;
        private volatile boolean over;

        /** The beginning of a line whose end has not come yet. */
        private String partialLine = "";

        LinesCall(int server) {
            this.server = server;
        }

        Publisher<Void> sending(HttpClientRequest sending, NettyOutbound outbound) {
            sending.header(HttpHeaderNames.CONTENT_TYPE, "application/x-ndjson");
            outbound.withConnection(this::drainOn);
            return outbound.send(chunks.asFlux(), chunk -> true);
        }

        private void drainOn(Connection connection) {
            sentOn(connection);
            EventLoop drainer = connection.channel().eventLoop();
            synchronized (unsent) {
                loop = drainer;
                draining = true;
            }
            drainer.execute(RestStream.this::drain);
        }

        Publisher<ByteBuf> answered(HttpClientResponse response, Connection connection) {
            status = response.status().code();
            return connection.inbound().receive();
        }

        @Override
        public void onNext(ByteBuf part) {
            if (isDisposed() || status != 200) {
                return;
            }
            String text = partialLine.concat(part.toString(StandardCharsets.US_ASCII));
            int from = 0;
            for (int end = text.indexOf('\n'); end >= 0; end = text.indexOf('\n', from)) {
                line(text.substring(from, end));
                from = end + 1;
            }
            partialLine = text.substring(from);
            if (partialLine.length() > LONGEST_LINE) {
                breakOff(partialLine);
            }
        }

        private void line(String line) {
            Matcher output = LINE.matcher(line);
            if (!output.matches()) {
                breakOff(line);
                return;
            }
            try {
                int number = Integer.parseInt(output.group(1));
                output(number, Long.parseLong(output.group(2)), (request, square) -> request.reply(number, square));
            } catch (NumberFormatException e) {
                breakOff(line);
            }
        }

        private void breakOff(String line) {
            failed(CallException.error(
                    line.startsWith(ERROR)
                            ? "an error reply: " + line.substring(0, Math.min(line.length(), LONGEST_LINE))
                            : "a reply that is not a line of a number and its square"));
            dispose();
        }

        @Override
        public void onError(Throwable error) {
            if (!isDisposed() && client.isRefused(server, this, error)) {
                // Nothing was sent: what the stream has is still in its buffer.
                LinesCall again = new LinesCall(client.next());
                call = again;
                if (RestStream.this.isDisposed()) {
                    // The stream was cancelled just now, when this was still its call.
                    again.dispose();
                }
                open();
                return;
            }
            over = true;
            failed(HttpCall.callException(error));
        }

        @Override
        public void onComplete() {
            over = true;
            if (status != 200) {
                failed(HttpMessages.errorReply(status));
            } else if (!partialLine.isEmpty()) {
                breakOff(partialLine);
            } else {
                completed();
            }
        }
    }
}

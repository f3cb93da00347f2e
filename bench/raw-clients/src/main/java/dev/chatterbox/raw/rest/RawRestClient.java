package dev.chatterbox.raw.rest;

import dev.chatterbox.raw.PipelinedCalls;
import io.netty.bootstrap.Bootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.SocketChannel;
import io.netty.channel.socket.nio.NioSocketChannel;
import io.netty.handler.codec.http.DefaultFullHttpRequest;
import io.netty.handler.codec.http.FullHttpResponse;
import io.netty.handler.codec.http.HttpClientCodec;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpObjectAggregator;
import io.netty.handler.codec.http.HttpVersion;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.Deque;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.ConcurrentLinkedQueue;

/**
 * Bare Netty with its HTTP codec. An HTTP/1.1 connection carries one call at a time, as every common client uses it; so
 * there are as many calls in flight as connections in use, 512 at the most, whatever is asked for.
 */
public final class RawRestClient {

    private final PipelinedCalls calls;
    private final URI server;
    /** The one used last is taken first, so that no more connections are in use than calls are in flight. */
    private final Deque<Connection> idle = new ConcurrentLinkedDeque<>();

    private final Queue<Integer> waiting = new ConcurrentLinkedQueue<>();

    private RawRestClient(PipelinedCalls calls, URI server) {
        this.calls = calls;
        this.server = server;
    }

    public static void main(String[] arguments) {
        PipelinedCalls.main(arguments, calls -> {
            String first = System.getenv()
                    .getOrDefault(calls.address("url-variable", "SQUARE_REST_URL"), "http://localhost:7575")
                    .split(",")[0];
            RawRestClient client = new RawRestClient(calls, URI.create(first));
            client.connect();
            return client::send;
        });
    }

    private void connect() throws InterruptedException {
        Bootstrap bootstrap = new Bootstrap()
                .group(new MultiThreadIoEventLoopGroup(NioIoHandler.newFactory()))
                .channel(NioSocketChannel.class)
                .handler(new ChannelInitializer<SocketChannel>() {
                    @Override
                    protected void initChannel(SocketChannel channel) {
                        channel.pipeline()
                                .addLast(new HttpClientCodec(), new HttpObjectAggregator(1024), new Connection());
                    }
                });
        calls.tryInFlight(32, 128, 512);
        for (int i = 0; i < calls.mostInFlight(); i++) {
            Channel channel =
                    bootstrap.connect(server.getHost(), server.getPort()).sync().channel();
            idle.push(channel.pipeline().get(Connection.class));
        }
    }

    /** A reply's thread finds its own connection idle; only the first calls wait for one. */
    private void send(int number) {
        Connection connection = idle.poll();
        if (connection == null) {
            waiting.add(number);
        } else {
            connection.send(number);
        }
    }

    private final class Connection extends SimpleChannelInboundHandler<FullHttpResponse> {

        // Netty sets it before anything else happens.
        @SuppressWarnings("NullAway.Init")
        private volatile ChannelHandlerContext context;

        private volatile int number;

        @Override
        public void handlerAdded(ChannelHandlerContext context) {
            this.context = context;
        }

        void send(int number) {
            this.number = number;
            DefaultFullHttpRequest request =
                    new DefaultFullHttpRequest(HttpVersion.HTTP_1_1, HttpMethod.GET, "/api/square/unary/" + number);
            request.headers().set(HttpHeaderNames.HOST, server.getAuthority());
            context.writeAndFlush(request);
        }

        @Override
        protected void channelRead0(ChannelHandlerContext context, FullHttpResponse response) {
            int answered = number;
            Integer next = waiting.poll();
            if (next == null) {
                idle.push(this);
            } else {
                send(next);
            }
            if (response.status().code() == 200) {
                calls.replied(answered, Long.parseLong(response.content().toString(StandardCharsets.US_ASCII)));
            } else {
                calls.failed();
            }
        }
    }
}

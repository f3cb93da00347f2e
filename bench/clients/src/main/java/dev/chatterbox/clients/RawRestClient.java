package dev.chatterbox.clients;

import io.netty.bootstrap.Bootstrap;
import io.netty.channel.ChannelFutureListener;
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
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.Deque;
import java.util.concurrent.ConcurrentLinkedDeque;

/**
 * Bare Netty with its HTTP codec. An HTTP/1.1 connection carries one call at a time, as in every common client. So
 * there are as many calls in flight as connections in use, whatever is ordered.
 */
public final class RawRestClient {

    /** The variant has the same number of connections. */
    private static final int CONNECTIONS = 128;

    private final PipelinedCalls calls;
    private final URI server;
    private final Bootstrap bootstrap;

    /** The connection used last is taken first, so that no more are in use than calls are in flight. */
    private final Deque<Connection> idle = new ConcurrentLinkedDeque<>();

    private RawRestClient(PipelinedCalls calls, URI server) {
        this.calls = calls;
        this.server = server;
        bootstrap = new Bootstrap()
                .group(new MultiThreadIoEventLoopGroup(NioIoHandler.newFactory()))
                .channel(NioSocketChannel.class)
                .remoteAddress(server.getHost(), server.getPort())
                .handler(new ChannelInitializer<SocketChannel>() {
                    @Override
                    protected void initChannel(SocketChannel channel) {
                        channel.pipeline()
                                .addLast(new HttpClientCodec(), new HttpObjectAggregator(1024), new Connection());
                    }
                });
    }

    public static void main(String[] arguments) {
        new PipelinedCalls(arguments, RawRestClient::sender).run();
    }

    private static PipelinedCalls.Sender sender(PipelinedCalls calls) {
        String variable = calls.argument("address.url-variable").orElse("SQUARE_REST_URL");
        String server =
                System.getenv().getOrDefault(variable, "http://localhost:7575").split(",")[0];
        calls.carriesAtMost(CONNECTIONS);
        return new RawRestClient(calls, URI.create(server))::send;
    }

    /**
     * A slice opens the connections that it needs, because the server may have closed those of an earlier one. Nothing
     * waits for them: replies come on the threads that connect.
     */
    private void send(long id) {
        Connection connection = idle.poll();
        while (connection != null && !connection.context.channel().isActive()) {
            connection = idle.poll();
        }
        if (connection != null) {
            connection.send(id);
            return;
        }
        bootstrap.connect().addListener((ChannelFutureListener) connected -> {
            if (connected.isSuccess()) {
                connected.channel().pipeline().get(Connection.class).send(id);
            } else {
                calls.unsent(id, new IOException(connected.cause()));
            }
        });
    }

    private final class Connection extends SimpleChannelInboundHandler<FullHttpResponse> {

        // Netty calls handlerAdded before anything else happens.
        @SuppressWarnings("NullAway.Init")
        private volatile ChannelHandlerContext context;

        private volatile long id;

        @Override
        public void handlerAdded(ChannelHandlerContext context) {
            this.context = context;
        }

        void send(long id) {
            this.id = id;
            DefaultFullHttpRequest request = new DefaultFullHttpRequest(
                    HttpVersion.HTTP_1_1,
                    HttpMethod.GET,
                    "/api/square/unary/" + PipelinedCalls.number(id)
                            + calls.work().query());
            request.headers().set(HttpHeaderNames.HOST, server.getAuthority());
            context.writeAndFlush(request);
        }

        @Override
        protected void channelRead0(ChannelHandlerContext context, FullHttpResponse response) {
            long answered = id;
            idle.push(this);
            if (response.status().code() == 200) {
                String square = response.content().toString(StandardCharsets.US_ASCII);
                calls.replied(answered, PipelinedCalls.number(answered), Long.parseLong(square));
            } else {
                calls.failed(answered);
            }
        }
    }
}

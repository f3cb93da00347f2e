package dev.chatterbox.grpc;

import dev.chatterbox.client.DirectPeer;
import dev.chatterbox.proto.Output;
import io.grpc.Context;
import io.grpc.Deadline;
import io.grpc.Grpc;
import io.grpc.Metadata;
import io.grpc.Server;
import io.grpc.ServerCall;
import io.grpc.ServerServiceDefinition;
import io.grpc.Status;
import io.grpc.netty.NettyServerBuilder;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.handler.codec.http2.DefaultHttp2Headers;
import io.netty.handler.codec.http2.Http2ConnectionHandler;
import io.netty.handler.codec.http2.Http2Exception;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/** A gRPC server whose calls a test answers. */
final class GrpcPeer extends DirectPeer {

    private static final ByteMarshaller BYTES = new ByteMarshaller();

    private final EventLoopGroup loop = new MultiThreadIoEventLoopGroup(1, NioIoHandler.newFactory());
    private final AtomicInteger unanswered = new AtomicInteger();
    private final Map<SocketAddress, Channel> connections = new ConcurrentHashMap<>();
    private final Server server;
    private final int port;

    /** That of the last call; null if it had none. */
    volatile @Nullable Deadline deadline;

    GrpcPeer(int port) {
        server = NettyServerBuilder.forAddress(new InetSocketAddress("127.0.0.1", port))
                .bossEventLoopGroup(loop)
                .workerEventLoopGroup(loop)
                .channelFactory(() -> new Listening(connections))
                .directExecutor()
                .addService(ServerServiceDefinition.builder(SquaresGrpc.SERVICE_NAME)
                        .addMethod(
                                SquaresGrpc.getUnaryMethod().toBuilder(BYTES, BYTES)
                                        .build(),
                                (call, headers) -> new Call(call, false))
                        .addMethod(
                                SquaresGrpc.getBatchMethod().toBuilder(BYTES, BYTES)
                                        .build(),
                                (call, headers) -> new Call(call, true))
                        .addMethod(
                                SquaresGrpc.getStreamMethod().toBuilder(BYTES, BYTES)
                                        .build(),
                                (call, headers) -> new StreamCall(call))
                        .build())
                .build();
        try {
            this.port = server.start().getPort();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public int port() {
        return port;
    }

    @Override
    public int unanswered() {
        return unanswered.get();
    }

    @Override
    public int connections() {
        return connections.size();
    }

    /** Nothing comes back over its connections any more, as when a network drops everything. */
    void fallSilent() {
        connections.values().forEach(channel -> channel.config().setAutoRead(false));
    }

    /** Remembers the accepted connections, so that a test can cut them off. */
    private static final class Listening extends NioServerSocketChannel {

        private final Map<SocketAddress, Channel> accepted;

        Listening(Map<SocketAddress, Channel> accepted) {
            this.accepted = accepted;
        }

        @Override
        protected int doReadMessages(List<Object> messages) throws Exception {
            int read = super.doReadMessages(messages);
            messages.forEach(message -> accepted.put(((Channel) message).remoteAddress(), (Channel) message));
            return read;
        }
    }

    private final class Call extends ServerCall.Listener<byte[]> {

        private final ServerCall<byte[], byte[]> call;
        private final boolean batch;

        Call(ServerCall<byte[], byte[]> call, boolean batch) {
            this.call = call;
            deadline = Context.current().getDeadline();
            this.batch = batch;
            unanswered.incrementAndGet();
            call.request(1);
        }

        @Override
        public void onMessage(byte[] message) {
            arrived(new Request(batch, message, call));
        }

        @Override
        public void onCancel() {
            unanswered.decrementAndGet();
        }

        @Override
        public void onComplete() {
            unanswered.decrementAndGet();
        }
    }

    private final class StreamCall extends ServerCall.Listener<byte[]> {

        private final ServerCall<byte[], byte[]> call;
        private final Stream stream;

        StreamCall(ServerCall<byte[], byte[]> call) {
            this.call = call;
            stream = new Stream(call);
            unanswered.incrementAndGet();
            call.sendHeaders(new Metadata());
            call.request(Integer.MAX_VALUE);
            opened(stream);
        }

        @Override
        public void onMessage(byte[] message) {
            stream.came(inputsOf(false, message).get(0).getNumber());
        }

        @Override
        public void onCancel() {
            stream.gaveUp();
            unanswered.decrementAndGet();
        }

        @Override
        public void onComplete() {
            unanswered.decrementAndGet();
        }
    }

    private static final class Stream extends ReceivedStream {

        private final ServerCall<byte[], byte[]> call;

        Stream(ServerCall<byte[], byte[]> call) {
            this.call = call;
        }

        @Override
        public void output(int number, long square) {
            call.sendMessage(Output.newBuilder()
                    .setNumber(number)
                    .setResult(square)
                    .build()
                    .toByteArray());
        }

        @Override
        public void end() {
            call.close(Status.OK, new Metadata());
        }

        @Override
        public void error(String reason) {
            call.close(Status.FAILED_PRECONDITION.withDescription(reason), new Metadata());
        }

        @Override
        public void garbage() {
            call.sendMessage("\u0000\u0001nine".getBytes(StandardCharsets.UTF_8));
        }

        @Override
        public void breakOff() {
            call.close(Status.UNAVAILABLE.withDescription("going away"), new Metadata());
        }
    }

    final class Request extends MessageReceived {

        private final ServerCall<byte[], byte[]> call;

        Request(boolean batch, byte[] body, ServerCall<byte[], byte[]> call) {
            super(batch, body);
            this.call = call;
        }

        @Override
        public void bytes(byte[] body) {
            if (!call.isCancelled()) {
                call.sendHeaders(new Metadata());
                call.sendMessage(body);
                call.close(Status.OK, new Metadata());
            }
        }

        @Override
        public void error(String reason) {
            call.close(Status.FAILED_PRECONDITION.withDescription(reason), new Metadata());
        }

        /** Writes the messages around grpc-java's server, which lets a unary call have only one. */
        void messages(int count) {
            // The server does not learn that the call has ended.
            unanswered.decrementAndGet();
            onItsConnection((handler, context, stream) -> {
                writeHeaders(handler, context, stream);
                for (int i = 0; i < count; i++) {
                    ByteBuf message = Unpooled.buffer();
                    byte[] right = rightBody();
                    message.writeByte(0).writeInt(right.length).writeBytes(right);
                    handler.encoder().writeData(context, stream, message, 0, false, context.newPromise());
                }
                handler.encoder()
                        .writeHeaders(
                                context,
                                stream,
                                new DefaultHttp2Headers().add("grpc-status", "0"),
                                0,
                                true,
                                context.newPromise());
                handler.flush(context);
            });
        }

        @Override
        public void breakOff(int bytes) {
            onItsConnection((handler, context, stream) -> {
                if (bytes == 0) {
                    // The end of a process that has not read everything resets the connection in the same way.
                    context.channel().config().setOption(ChannelOption.SO_LINGER, 0);
                    close(context.channel());
                    return;
                }
                writeHeaders(handler, context, stream);
                // The length of a message, but fewer bytes.
                ByteBuf head = Unpooled.buffer().writeByte(0).writeInt(100).writeZero(bytes);
                handler.encoder()
                        .writeData(context, stream, head, 0, false, context.newPromise())
                        .addListener(written -> close(context.channel()));
                handler.flush(context);
            });
        }

        private static void writeHeaders(Http2ConnectionHandler handler, ChannelHandlerContext context, int stream) {
            handler.encoder()
                    .writeHeaders(
                            context,
                            stream,
                            new DefaultHttp2Headers().status("200").add("content-type", "application/grpc"),
                            0,
                            false,
                            context.newPromise());
        }

        /** Closes the channel around the server, which would say goodbye and wait for its calls. */
        private static void close(Channel channel) {
            channel.pipeline().firstContext().close();
        }

        /** Answers the only call that is in flight on the connection. */
        private void onItsConnection(Http2Answer answer) {
            Channel channel = connections.get(call.getAttributes().get(Grpc.TRANSPORT_ATTR_REMOTE_ADDR));
            channel.eventLoop().execute(() -> {
                Http2ConnectionHandler handler = channel.pipeline().get(Http2ConnectionHandler.class);
                ChannelHandlerContext context = channel.pipeline().context(handler);
                try {
                    handler.connection().forEachActiveStream(stream -> {
                        answer.write(handler, context, stream.id());
                        return true;
                    });
                } catch (Http2Exception e) {
                    throw new IllegalStateException(e);
                }
            });
        }
    }

    /** Frames of HTTP/2, written by hand. */
    @FunctionalInterface
    private interface Http2Answer {
        void write(Http2ConnectionHandler handler, ChannelHandlerContext context, int stream);
    }

    @Override
    public void replyForNobody() {
        throw new UnsupportedOperationException();
    }

    @Override
    public void close() {
        server.shutdownNow();
        try {
            server.awaitTermination(5, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
        loop.shutdownGracefully(0, 1, TimeUnit.SECONDS);
    }
}

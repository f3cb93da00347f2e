package dev.chatterbox.rsocket;

import dev.chatterbox.client.DirectPeer;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelOption;
import io.rsocket.DuplexConnection;
import io.rsocket.exceptions.ApplicationErrorException;
import io.rsocket.exceptions.RejectedException;
import io.rsocket.frame.ErrorFrameCodec;
import io.rsocket.frame.FrameHeaderCodec;
import io.rsocket.frame.FrameType;
import io.rsocket.frame.KeepAliveFrameCodec;
import io.rsocket.frame.PayloadFrameCodec;
import io.rsocket.frame.RequestResponseFrameCodec;
import io.rsocket.transport.netty.server.CloseableChannel;
import io.rsocket.transport.netty.server.TcpServerTransport;
import java.net.SocketAddress;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;
import reactor.netty.tcp.TcpServer;

/** Writes frames of RSocket, so that a test can send frames that no server of the library would send. */
final class RSocketPeer extends DirectPeer {

    private final Map<SocketAddress, Channel> channels = new ConcurrentHashMap<>();
    private final Set<Request> unanswered = ConcurrentHashMap.newKeySet();
    private final CloseableChannel server;
    private volatile @Nullable Request last;
    private volatile boolean silent;

    RSocketPeer(int port) {
        TcpServer listening = TcpServer.create()
                .host("127.0.0.1")
                .port(port)
                .doOnConnection(accepted -> channels.put(accepted.channel().remoteAddress(), accepted.channel()));
        server = TcpServerTransport.create(listening).start(this::serve).block();
    }

    private Mono<Void> serve(DuplexConnection connection) {
        connection.receive().subscribe(frame -> read(connection, frame), error -> {});
        return connection
                .onClose()
                .onErrorComplete()
                .doFinally(end -> unanswered.removeIf(request -> request.connection == connection));
    }

    @Override
    public int port() {
        return server.address().getPort();
    }

    @Override
    public int unanswered() {
        return unanswered.size();
    }

    @Override
    public int connections() {
        return channels.size();
    }

    /** After this the peer does not answer keep-alive frames. */
    void fallSilent() {
        silent = true;
    }

    private void read(DuplexConnection connection, ByteBuf frame) {
        int stream = FrameHeaderCodec.streamId(frame);
        FrameType type = FrameHeaderCodec.frameType(frame);
        if (type == FrameType.REQUEST_RESPONSE) {
            byte[] body = ByteBufUtil.getBytes(RequestResponseFrameCodec.data(frame));
            Request request = new Request(connection, stream, body);
            unanswered.add(request);
            last = request;
            arrived(request);
        } else if (type == FrameType.CANCEL) {
            unanswered.removeIf(request -> request.connection == connection && request.stream == stream);
        } else if (type == FrameType.KEEPALIVE && KeepAliveFrameCodec.respondFlag(frame) && !silent) {
            connection.sendFrame(0, KeepAliveFrameCodec.encode(connection.alloc(), false, 0, Unpooled.EMPTY_BUFFER));
        }
    }

    final class Request extends MessageReceived {

        private final DuplexConnection connection;
        private final int stream;

        Request(DuplexConnection connection, int stream, byte[] body) {
            super(false, body);
            this.connection = connection;
            this.stream = stream;
        }

        @Override
        public void bytes(byte[] body) {
            answer(PayloadFrameCodec.encode(
                    connection.alloc(), stream, false, true, true, null, Unpooled.wrappedBuffer(body)));
        }

        /** Ends the call without a payload. */
        void nothing() {
            answer(PayloadFrameCodec.encodeComplete(connection.alloc(), stream));
        }

        @Override
        public void error(String reason) {
            answer(ErrorFrameCodec.encode(connection.alloc(), stream, new ApplicationErrorException(reason)));
        }

        void reject(String reason) {
            answer(ErrorFrameCodec.encode(connection.alloc(), stream, new RejectedException(reason)));
        }

        private void answer(ByteBuf frame) {
            unanswered.remove(this);
            connection.sendFrame(stream, frame);
        }

        @Override
        public void breakOff(int bytes) {
            Channel channel = channels.get(connection.remoteAddress());
            if (bytes == 0) {
                // The end of a process that has not read everything resets the connection in the same way.
                channel.config().setOption(ChannelOption.SO_LINGER, 0);
                channel.close();
                return;
            }
            // The length of a frame, but fewer bytes.
            channel.pipeline()
                    .firstContext()
                    .writeAndFlush(Unpooled.buffer().writeMedium(100).writeZero(bytes))
                    .addListener(written -> channel.close());
        }
    }

    /** Replies to a request that ended long ago: at a reply to an unknown request the library ends the connection. */
    @Override
    public void replyForNobody() {
        Request ended = last;
        if (ended == null) {
            throw new IllegalStateException("no request has come yet");
        }
        ended.right();
    }

    @Override
    public void close() {
        // The server stops listening first, because a client that has lost its connection connects again at once.
        server.dispose();
        server.onClose().block();
        channels.values().forEach(channel -> channel.close().syncUninterruptibly());
    }
}

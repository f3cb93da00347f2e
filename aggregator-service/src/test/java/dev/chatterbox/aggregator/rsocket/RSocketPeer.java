package dev.chatterbox.aggregator.rsocket;

import dev.chatterbox.aggregator.client.ScriptedPeer;
import dev.chatterbox.proto.Input;
import dev.chatterbox.proto.Output;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.handler.codec.LengthFieldBasedFrameDecoder;
import io.rsocket.exceptions.ApplicationErrorException;
import io.rsocket.exceptions.RejectedException;
import io.rsocket.frame.ErrorFrameCodec;
import io.rsocket.frame.FrameHeaderCodec;
import io.rsocket.frame.FrameLengthCodec;
import io.rsocket.frame.FrameType;
import io.rsocket.frame.KeepAliveFrameCodec;
import io.rsocket.frame.PayloadFrameCodec;
import io.rsocket.frame.RequestResponseFrameCodec;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/** Speaks frames of RSocket, so that a test can send what no server of the library would. */
final class RSocketPeer extends ScriptedPeer {

    private final EventLoopGroup loop = new MultiThreadIoEventLoopGroup(1, NioIoHandler.newFactory());
    private final Set<Request> unanswered = ConcurrentHashMap.newKeySet();
    private final AtomicInteger connections = new AtomicInteger();
    private final Channel listening;
    private volatile @Nullable Request last;
    private volatile boolean silent;

    RSocketPeer() {
        this(0);
    }

    RSocketPeer(int port) {
        listening = new ServerBootstrap()
                .group(loop)
                .channel(NioServerSocketChannel.class)
                .childHandler(new ChannelInitializer<>() {
                    @Override
                    protected void initChannel(Channel channel) {
                        connections.incrementAndGet();
                        channel.pipeline()
                                .addLast(new LengthFieldBasedFrameDecoder(0xFFFFFF, 0, 3, 0, 3), new Frames());
                    }
                })
                .bind("127.0.0.1", port)
                .syncUninterruptibly()
                .channel();
    }

    int port() {
        return ((InetSocketAddress) listening.localAddress()).getPort();
    }

    /** Requests that came and were neither answered nor given up, on a connection that is open still. */
    int unanswered() {
        return unanswered.size();
    }

    /** All that there ever were. */
    int connections() {
        return connections.get();
    }

    /** From now on it does not answer when it is asked whether it lives. */
    void fallSilent() {
        silent = true;
    }

    private final class Frames extends SimpleChannelInboundHandler<ByteBuf> {

        @Override
        protected void channelRead0(ChannelHandlerContext context, ByteBuf frame) throws IOException {
            int stream = FrameHeaderCodec.streamId(frame);
            FrameType type = FrameHeaderCodec.frameType(frame);
            if (type == FrameType.REQUEST_RESPONSE) {
                byte[] body = ByteBufUtil.getBytes(RequestResponseFrameCodec.data(frame));
                Request request = new Request(
                        context.channel(), stream, Input.parseFrom(body).getNumber());
                unanswered.add(request);
                last = request;
                arrived(request);
            } else if (type == FrameType.CANCEL) {
                unanswered.removeIf(request -> request.isOf(context.channel()) && request.stream == stream);
            } else if (type == FrameType.KEEPALIVE && KeepAliveFrameCodec.respondFlag(frame) && !silent) {
                write(context.channel(), KeepAliveFrameCodec.encode(context.alloc(), false, 0, Unpooled.EMPTY_BUFFER));
            }
        }

        @Override
        public void channelInactive(ChannelHandlerContext context) {
            unanswered.removeIf(request -> request.isOf(context.channel()));
        }
    }

    private static void write(Channel channel, ByteBuf frame) {
        channel.writeAndFlush(FrameLengthCodec.encode(channel.alloc(), frame.readableBytes(), frame));
    }

    final class Request implements Received {

        private final Channel channel;
        private final int stream;
        private final int number;

        Request(Channel channel, int stream, int number) {
            this.channel = channel;
            this.stream = stream;
            this.number = number;
        }

        private boolean isOf(Channel other) {
            return channel == other;
        }

        @Override
        public int number() {
            return number;
        }

        @Override
        public void square(int number, long square) {
            payload(Output.newBuilder()
                    .setNumber(number)
                    .setResult(square)
                    .build()
                    .toByteArray());
        }

        @Override
        public void bytes(byte[] body) {
            payload(body);
        }

        private void payload(byte[] data) {
            answer(PayloadFrameCodec.encode(
                    channel.alloc(), stream, false, true, true, null, Unpooled.wrappedBuffer(data)));
        }

        /** The end without a payload. */
        void nothing() {
            answer(PayloadFrameCodec.encodeComplete(channel.alloc(), stream));
        }

        @Override
        public void error(String reason) {
            answer(ErrorFrameCodec.encode(channel.alloc(), stream, new ApplicationErrorException(reason)));
        }

        void reject(String reason) {
            answer(ErrorFrameCodec.encode(channel.alloc(), stream, new RejectedException(reason)));
        }

        private void answer(ByteBuf frame) {
            unanswered.remove(this);
            write(channel, frame);
        }

        @Override
        public void breakOff(int bytes) {
            if (bytes == 0) {
                // As the end of a process does it that has not read all.
                channel.config().setOption(ChannelOption.SO_LINGER, 0);
                channel.close();
                return;
            }
            // The length of a frame, and less than that.
            channel.writeAndFlush(Unpooled.buffer().writeMedium(100).writeZero(bytes))
                    .addListener(written -> channel.close());
        }
    }

    /** To a request that has ended long since: for one that there never was the library ends the connection. */
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
        try {
            loop.shutdownGracefully(0, 1, TimeUnit.SECONDS).await(5, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }
}

package dev.chatterbox.http;

import dev.chatterbox.client.DirectPeer;
import dev.chatterbox.proto.Input;
import dev.chatterbox.proto.Output;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.channel.group.ChannelGroup;
import io.netty.channel.group.DefaultChannelGroup;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.handler.codec.http.DefaultFullHttpResponse;
import io.netty.handler.codec.http.DefaultHttpContent;
import io.netty.handler.codec.http.DefaultHttpResponse;
import io.netty.handler.codec.http.FullHttpRequest;
import io.netty.handler.codec.http.FullHttpResponse;
import io.netty.handler.codec.http.HttpContent;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaderValues;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpObjectAggregator;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpResponse;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpServerCodec;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.handler.codec.http.LastHttpContent;
import io.netty.handler.codec.http2.Http2FrameCodecBuilder;
import io.netty.handler.codec.http2.Http2MultiplexHandler;
import io.netty.handler.codec.http2.Http2Settings;
import io.netty.handler.codec.http2.Http2StreamChannel;
import io.netty.handler.codec.http2.Http2StreamFrameToHttpObjectCodec;
import io.netty.util.ReferenceCountUtil;
import io.netty.util.concurrent.GlobalEventExecutor;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * An HTTP server whose requests a test answers. It reads pipelined requests at once, and answers them in their order.
 */
public final class HttpPeer extends DirectPeer {

    private static final int MOST_BYTES = 16 << 20;

    private final EventLoopGroup loop = new MultiThreadIoEventLoopGroup(1, NioIoHandler.newFactory());
    private final ChannelGroup connections = new DefaultChannelGroup(GlobalEventExecutor.INSTANCE, true);
    private final AtomicInteger accepted = new AtomicInteger();
    private final AtomicInteger unanswered = new AtomicInteger();
    private final Channel server;

    /**
     * @param port 0 for any
     * @param h2c whether it speaks HTTP/2 without TLS; otherwise HTTP/1.1
     */
    public HttpPeer(int port, boolean h2c) {
        server = new ServerBootstrap()
                .group(loop)
                .channel(NioServerSocketChannel.class)
                .childHandler(new ChannelInitializer<>() {
                    @Override
                    protected void initChannel(Channel connection) {
                        accepted.incrementAndGet();
                        connections.add(connection);
                        if (h2c) {
                            connection
                                    .pipeline()
                                    .addLast(Http2FrameCodecBuilder.forServer()
                                            .initialSettings(Http2Settings.defaultSettings()
                                                    .maxConcurrentStreams(1000))
                                            .build())
                                    .addLast(new Http2MultiplexHandler(new ChannelInitializer<>() {
                                        @Override
                                        protected void initChannel(Channel stream) {
                                            stream.pipeline().addLast(new Http2StreamFrameToHttpObjectCodec(true));
                                            read(stream);
                                        }
                                    }));
                        } else {
                            connection.pipeline().addLast(new HttpServerCodec());
                            read(connection);
                        }
                    }
                })
                .bind("127.0.0.1", port)
                .syncUninterruptibly()
                .channel();
    }

    private void read(Channel channel) {
        channel.pipeline().addLast(new Streams(), new HttpObjectAggregator(MOST_BYTES), new Requests());
    }

    /** Resets the connection, as the end of a process does that has not read everything; of HTTP/2 only the stream. */
    private static void reset(Channel channel) {
        channel.config().setOption(ChannelOption.SO_LINGER, 0);
        channel.close();
    }

    private static HttpResponse head(CharSequence header, Object value) {
        HttpResponse head = new DefaultHttpResponse(HttpVersion.HTTP_1_1, HttpResponseStatus.OK);
        head.headers().set(HttpHeaderNames.CONTENT_TYPE, "application/json").set(header, value);
        return head;
    }

    private static HttpContent content(String text) {
        return new DefaultHttpContent(Unpooled.copiedBuffer(text, StandardCharsets.US_ASCII));
    }

    /** Takes the streams of lines out of the requests of one connection. */
    private final class Streams extends ChannelInboundHandlerAdapter {

        /** The one that is being read or answered. */
        private @Nullable LineStream current;

        @Override
        public void channelRead(ChannelHandlerContext context, Object part) {
            if (part instanceof HttpRequest request) {
                current = request.uri().startsWith("/api/square/stream") ? open(context) : null;
            }
            LineStream stream = current;
            if (stream == null) {
                context.fireChannelRead(part);
                return;
            }
            if (part instanceof HttpContent content) {
                stream.read(content.content().toString(StandardCharsets.US_ASCII));
            }
            ReferenceCountUtil.release(part);
        }

        private LineStream open(ChannelHandlerContext context) {
            LineStream stream = new LineStream(context.channel());
            unanswered.incrementAndGet();
            opened(stream);
            return stream;
        }

        @Override
        public void channelInactive(ChannelHandlerContext context) {
            LineStream stream = current;
            if (stream != null) {
                stream.gaveUp();
                stream.ended();
            }
            context.fireChannelInactive();
        }
    }

    /** One stream, whose numbers and squares are lines. */
    private final class LineStream extends ReceivedStream {

        private final Channel channel;

        /** The beginning of a line whose end has not come yet; used on the channel's event loop, as are the next two. */
        private String begun = "";

        private boolean answering;
        private boolean ended;

        LineStream(Channel channel) {
            this.channel = channel;
        }

        void read(String part) {
            String text = begun + part;
            int end = text.lastIndexOf('\n') + 1;
            text.substring(0, end).lines().map(Integer::valueOf).forEach(this::came);
            begun = text.substring(end);
        }

        void ended() {
            if (!ended) {
                ended = true;
                unanswered.decrementAndGet();
            }
        }

        /** The head of the reply goes with the first part. */
        private void write(HttpContent part) {
            channel.eventLoop().execute(() -> {
                if (!answering) {
                    answering = true;
                    HttpResponse head = head(HttpHeaderNames.TRANSFER_ENCODING, HttpHeaderValues.CHUNKED);
                    head.headers().set(HttpHeaderNames.CONTENT_TYPE, "application/x-ndjson");
                    channel.write(head);
                }
                channel.writeAndFlush(part);
            });
        }

        @Override
        public void output(int number, long square) {
            write(content("{\"%d\":%d}\n".formatted(number, square)));
        }

        @Override
        public void end() {
            write(LastHttpContent.EMPTY_LAST_CONTENT);
            channel.eventLoop().execute(this::ended);
        }

        @Override
        public void error(String reason) {
            write(content("{\"error\":{\"status\":500,\"detail\":\"%s\"}}\n".formatted(reason)));
            end();
        }

        @Override
        public void garbage() {
            write(content("nine\n"));
        }

        @Override
        public void breakOff() {
            reset(channel);
        }
    }

    /** The other requests of one connection, or the request of one stream of HTTP/2. */
    private final class Requests extends SimpleChannelInboundHandler<FullHttpRequest> {

        private final Deque<Request> inOrder = new ArrayDeque<>();

        @Override
        protected void channelRead0(ChannelHandlerContext context, FullHttpRequest http) {
            Request request = Request.of(http, this, context.channel());
            unanswered.incrementAndGet();
            inOrder.add(request);
            arrived(request);
        }

        /** Only the first answer to a request counts. */
        void answered(Request request, Runnable answer, Channel channel) {
            channel.eventLoop().execute(() -> {
                if (request.answer == null) {
                    request.answer = answer;
                }
                while (!inOrder.isEmpty() && inOrder.peek().answer != null) {
                    Runnable next = inOrder.remove().answer;
                    unanswered.decrementAndGet();
                    next.run();
                }
            });
        }

        @Override
        public void channelInactive(ChannelHandlerContext context) {
            unanswered.addAndGet(-inOrder.size());
            inOrder.clear();
        }

        @Override
        public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
            context.close();
        }
    }

    /** The form of a reply's body. */
    private enum Form {
        NUMBER,
        ARRAY,
        MESSAGE,
        MESSAGES
    }

    static final class Request implements Received {

        private final Form form;
        private final List<Input> inputs;
        private final Requests requests;
        private final Channel channel;

        /** The channel's event loop uses it. */
        private @Nullable Runnable answer;

        private Request(Form form, List<Input> inputs, Requests requests, Channel channel) {
            this.form = form;
            this.inputs = inputs;
            this.requests = requests;
            this.channel = channel;
        }

        static Request of(FullHttpRequest http, Requests requests, Channel channel) {
            byte[] body = ByteBufUtil.getBytes(http.content());
            if (http.method().equals(HttpMethod.GET)) {
                String number = http.uri().substring(http.uri().lastIndexOf('/') + 1);
                return new Request(Form.NUMBER, List.of(input(number)), requests, channel);
            }
            boolean batch = http.uri().endsWith("/batch");
            if (http.headers().contains(HttpHeaderNames.CONTENT_TYPE, "application/x-protobuf", true)) {
                Form form = batch ? Form.MESSAGES : Form.MESSAGE;
                return new Request(form, inputsOf(batch, body), requests, channel);
            }
            String numbers = new String(body, StandardCharsets.US_ASCII);
            List<Input> inputs = Stream.of(
                            numbers.substring(1, numbers.length() - 1).split(","))
                    .map(Request::input)
                    .toList();
            return new Request(Form.ARRAY, inputs, requests, channel);
        }

        private static Input input(String number) {
            return Input.newBuilder().setNumber(Integer.parseInt(number)).build();
        }

        @Override
        public int number() {
            return inputs.get(0).getNumber();
        }

        @Override
        public List<Input> inputs() {
            return inputs;
        }

        @Override
        public void square(int number, long square) {
            outputs(List.of(
                    Output.newBuilder().setNumber(number).setResult(square).build()));
        }

        @Override
        public void outputs(List<Output> outputs) {
            bytes(written(outputs));
        }

        @Override
        public byte[] rightBody() {
            return written(rightOutputs());
        }

        private byte[] written(List<Output> outputs) {
            return switch (form) {
                case NUMBER -> ascii(Long.toString(outputs.get(0).getResult()));
                case ARRAY ->
                    ascii(outputs.stream()
                            .map(output -> Long.toString(output.getResult()))
                            .collect(Collectors.joining(",", "[", "]")));
                case MESSAGE, MESSAGES -> body(form == Form.MESSAGES, outputs);
            };
        }

        private static byte[] ascii(String text) {
            return text.getBytes(StandardCharsets.US_ASCII);
        }

        @Override
        public void error(String reason) {
            answer(HttpResponseStatus.INTERNAL_SERVER_ERROR, ascii(reason));
        }

        @Override
        public void bytes(byte[] body) {
            answer(HttpResponseStatus.OK, body);
        }

        private void answer(HttpResponseStatus status, byte[] body) {
            requests.answered(
                    this,
                    () -> {
                        FullHttpResponse response =
                                new DefaultFullHttpResponse(HttpVersion.HTTP_1_1, status, Unpooled.wrappedBuffer(body));
                        boolean json = form == Form.NUMBER || form == Form.ARRAY;
                        response.headers()
                                .set(HttpHeaderNames.CONTENT_TYPE, json ? "application/json" : "application/x-protobuf")
                                .set(HttpHeaderNames.CONTENT_LENGTH, body.length);
                        channel.writeAndFlush(response);
                    },
                    channel);
        }

        /** Answers with a body that never ends. */
        void endless() {
            requests.answered(
                    this,
                    () -> {
                        channel.write(head(HttpHeaderNames.CONTENT_LENGTH, Long.MAX_VALUE));
                        channel.eventLoop()
                                .scheduleAtFixedRate(
                                        () -> channel.writeAndFlush(content("9")), 0, 1, TimeUnit.MILLISECONDS);
                    },
                    channel);
        }

        /** Before the reply has begun, its whole connection ends, as with a process; later only a stream of HTTP/2. */
        @Override
        public void breakOff(int bytes) {
            requests.answered(
                    this,
                    () -> {
                        if (bytes > 0) {
                            channel.write(head(HttpHeaderNames.CONTENT_LENGTH, 9));
                            channel.writeAndFlush(content("9".repeat(bytes)));
                            channel.close();
                        } else {
                            reset(channel instanceof Http2StreamChannel ? channel.parent() : channel);
                        }
                    },
                    channel);
        }
    }

    @Override
    public int port() {
        return ((InetSocketAddress) server.localAddress()).getPort();
    }

    @Override
    public int unanswered() {
        return unanswered.get();
    }

    @Override
    public int connections() {
        return accepted.get();
    }

    @Override
    public void replyForNobody() {
        throw new UnsupportedOperationException();
    }

    @Override
    public void close() {
        if (loop.isShuttingDown()) {
            return;
        }
        server.close().syncUninterruptibly();
        connections.close().syncUninterruptibly();
        loop.shutdownGracefully(0, 1, TimeUnit.SECONDS);
    }
}

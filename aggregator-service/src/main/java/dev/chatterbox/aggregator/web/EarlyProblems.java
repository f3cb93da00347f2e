package dev.chatterbox.aggregator.web;

import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelOutboundHandlerAdapter;
import io.netty.channel.ChannelPromise;
import io.netty.handler.codec.http.DefaultFullHttpResponse;
import io.netty.handler.codec.http.FullHttpResponse;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpResponseStatus;
import java.util.Map;
import org.springframework.boot.reactor.netty.NettyReactiveWebServerFactory;
import org.springframework.boot.web.server.WebServerFactoryCustomizer;
import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;
import org.springframework.http.ProblemDetail;
import org.springframework.stereotype.Component;
import reactor.netty.NettyPipeline;
import tools.jackson.databind.json.JsonMapper;

/**
 * Gives a body to the errors of the server, which come before a request reaches {@link Problems}: headers that are too
 * large, a query that is none.
 */
@Component
@ChannelHandler.Sharable
final class EarlyProblems extends ChannelOutboundHandlerAdapter
        implements WebServerFactoryCustomizer<NettyReactiveWebServerFactory> {

    private static final Map<HttpResponseStatus, String> DETAILS = Map.of(
            HttpResponseStatus.BAD_REQUEST,
            "the server cannot read the request: its first line, a header or its query is not as HTTP has it",
            HttpResponseStatus.REQUEST_URI_TOO_LONG,
            "path and query are too long",
            HttpResponseStatus.REQUEST_HEADER_FIELDS_TOO_LARGE,
            "the headers are too large, perhaps by cookies of other applications on this host");

    private final JsonMapper mapper;

    EarlyProblems(JsonMapper mapper) {
        this.mapper = mapper;
    }

    @Override
    public void customize(NettyReactiveWebServerFactory factory) {
        factory.addServerCustomizers(server -> server.doOnChannelInit((observer, channel, address) ->
                channel.pipeline().addAfter(NettyPipeline.HttpCodec, "chatterbox.errors", this)));
    }

    @Override
    public void write(ChannelHandlerContext context, Object message, ChannelPromise promise) {
        if (message instanceof FullHttpResponse response
                && DETAILS.containsKey(response.status())
                && !response.headers().contains(HttpHeaderNames.CONTENT_TYPE)) {
            response.release();
            context.write(withBody(response), promise);
        } else {
            context.write(message, promise);
        }
    }

    private FullHttpResponse withBody(FullHttpResponse empty) {
        HttpResponseStatus status = empty.status();
        byte[] body = mapper.writeValueAsBytes(
                ProblemDetail.forStatusAndDetail(HttpStatus.valueOf(status.code()), DETAILS.get(status)));
        FullHttpResponse response =
                new DefaultFullHttpResponse(empty.protocolVersion(), status, Unpooled.wrappedBuffer(body));
        response.headers()
                .set(empty.headers())
                .set(HttpHeaderNames.CONTENT_TYPE, MediaType.APPLICATION_PROBLEM_JSON_VALUE)
                .set(HttpHeaderNames.CONTENT_LENGTH, body.length);
        return response;
    }
}

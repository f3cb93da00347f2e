package dev.chatterbox.raw;

import com.google.protobuf.InvalidProtocolBufferException;
import dev.chatterbox.proto.Output;
import dev.chatterbox.rsocket.Connections;
import dev.chatterbox.rsocket.Protocol;
import io.rsocket.Payload;
import io.rsocket.RSocket;
import io.rsocket.RSocketErrorException;
import io.rsocket.core.RSocketConnector;
import io.rsocket.frame.ErrorFrameCodec;
import io.rsocket.frame.decoder.PayloadDecoder;
import io.rsocket.transport.netty.client.TcpClientTransport;
import java.net.InetSocketAddress;
import java.time.Duration;
import org.reactivestreams.Subscription;
import reactor.core.CoreSubscriber;

/** Bare rsocket-java: request-response over one connection, replies on its event loop. */
public final class RawRSocketClient {

    private static final Duration PATIENCE = Duration.ofSeconds(5);

    private RawRSocketClient() {}

    public static void main(String[] arguments) {
        PipelinedCalls.main(arguments, RawRSocketClient::connect);
    }

    private static PipelinedCalls.Sender connect(PipelinedCalls calls) {
        String first = PipelinedCalls.server("SQUARE_RSOCKET_TARGET", "127.0.0.1:7598");
        InetSocketAddress server = Connections.address(first);
        RSocket rsocket = RSocketConnector.create()
                .payloadDecoder(PayloadDecoder.ZERO_COPY)
                .metadataMimeType(Protocol.METADATA)
                .connect(TcpClientTransport.create(server.getHostString(), server.getPort()))
                .block(PATIENCE);
        if (rsocket == null) {
            throw new IllegalStateException("nobody answers at " + first);
        }
        return id -> rsocket.requestResponse(
                        Protocol.square(PipelinedCalls.input(id).toByteArray()))
                .subscribe(new Reply(calls, id));
    }

    private record Reply(PipelinedCalls calls, long id) implements CoreSubscriber<Payload> {

        @Override
        public void onSubscribe(Subscription sending) {
            sending.request(1);
        }

        @Override
        public void onNext(Payload reply) {
            try {
                calls.replied(id, Output.parseFrom(Protocol.body(reply)));
            } catch (InvalidProtocolBufferException e) {
                calls.failed(id);
            }
        }

        @Override
        public void onError(Throwable error) {
            if (error instanceof RSocketErrorException said && said.errorCode() >= ErrorFrameCodec.APPLICATION_ERROR) {
                calls.failed(id);
            } else {
                // This may be the thread that sends: it would send, and fail, again and again.
                calls.unsent(id, new IllegalStateException("the connection is gone", error));
            }
        }

        @Override
        public void onComplete() {}
    }
}

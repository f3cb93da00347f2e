package dev.chatterbox.square.common;

import static org.assertj.core.api.Assertions.assertThat;

import dev.chatterbox.responder.Faults;
import dev.chatterbox.responder.SquareResponder;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.http.HttpMethod;
import org.springframework.http.codec.ServerCodecConfigurer;
import org.springframework.mock.http.server.reactive.MockServerHttpRequest;
import org.springframework.mock.web.server.MockServerWebExchange;
import org.springframework.web.reactive.function.server.ServerRequest;

/** Tests who may use the fault routes; the responder kit tests what they do. */
class FaultRoutesTests {

    private final SquareResponder responder = new SquareResponder("test", Faults.NONE, new SimpleMeterRegistry());

    @ParameterizedTest
    @CsvSource({
        "127.0.0.1, secret, Bearer secret, true",
        "127.0.0.2, secret, Bearer secret, true",
        "::1, secret, Bearer secret, true",
        "192.168.1.7, secret, Bearer secret, false",
        "10.0.0.1, secret, Bearer secret, false",
        "127.0.0.1, secret, Bearer secre, false",
        "127.0.0.1, secret, Bearer secrets, false",
        "127.0.0.1, '', 'Bearer ', false",
    })
    void areForLoopbackWithTheToken(String peer, String token, String authorization, boolean isFound)
            throws UnknownHostException {
        for (HttpMethod method : new HttpMethod[] {HttpMethod.GET, HttpMethod.PUT}) {
            MockServerHttpRequest request = MockServerHttpRequest.method(method, FaultRoutes.PATH)
                    .remoteAddress(new InetSocketAddress(InetAddress.getByName(peer), 40_000))
                    .header("Authorization", authorization)
                    // A proxy can write any address into this header.
                    .header("X-Forwarded-For", "127.0.0.1")
                    .build();
            ServerRequest read = ServerRequest.create(
                    MockServerWebExchange.from(request),
                    ServerCodecConfigurer.create().getReaders());
            assertThat(FaultRoutes.of(responder, token).route(read).hasElement().block())
                    .isEqualTo(isFound);
        }
    }
}

package dev.chatterbox.rest;

import dev.chatterbox.client.DirectClientContract;
import dev.chatterbox.client.DirectPeer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.condition.EnabledForJreRange;
import org.junit.jupiter.api.condition.JRE;
import reactor.netty.http.HttpProtocol;

@Tag("kit")
@EnabledForJreRange(min = JRE.JAVA_21, disabledReason = "the variant rest-mvc needs virtual threads, so Java 21")
class RestMvcSquareClientIT extends DirectClientContract {

    RestMvcSquareClientIT() {
        super(new Wiring("client.urls", "http://localhost:%d", "http", "an error reply: status 500"));
    }

    @Override
    protected String variant() {
        return "rest-mvc";
    }

    @Override
    protected DirectPeer peer(int port) {
        return new RestPeer(port, HttpProtocol.HTTP11);
    }
}

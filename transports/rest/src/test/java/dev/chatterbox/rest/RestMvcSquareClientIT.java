package dev.chatterbox.rest;

import dev.chatterbox.client.DirectClientContract;
import dev.chatterbox.client.DirectPeer;
import dev.chatterbox.http.HttpPeer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.condition.EnabledForJreRange;
import org.junit.jupiter.api.condition.JRE;

@Tag("kit")
@EnabledForJreRange(min = JRE.JAVA_21, disabledReason = "the variant rest-mvc needs virtual threads, so Java 21")
class RestMvcSquareClientIT extends DirectClientContract {

    RestMvcSquareClientIT() {
        super(RestContract.wiring("http"));
    }

    @Override
    protected String variant() {
        return "rest-mvc";
    }

    @Override
    protected DirectPeer peer(int port) {
        return new HttpPeer(port, false);
    }
}

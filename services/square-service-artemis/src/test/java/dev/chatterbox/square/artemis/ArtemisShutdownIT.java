package dev.chatterbox.square.artemis;

import dev.chatterbox.brokers.ArtemisBroker;
import dev.chatterbox.square.common.KeptResponder;
import dev.chatterbox.square.common.ResponderShutdownKit;
import dev.chatterbox.square.common.SquareResponder;
import org.junit.jupiter.api.Tag;

@Tag("long")
class ArtemisShutdownIT extends ResponderShutdownKit {

    ArtemisShutdownIT() {
        super(new ArtemisBroker(), "ARTEMIS_URL", "ActiveMQ");
    }

    @Override
    protected KeptResponder responder(String url, SquareResponder squares) {
        return new SquareServiceArtemis().artemisResponder(url, "test.squares", squares);
    }
}

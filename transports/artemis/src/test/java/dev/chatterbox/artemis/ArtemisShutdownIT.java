package dev.chatterbox.artemis;

import dev.chatterbox.brokers.ArtemisBroker;
import dev.chatterbox.responder.KeptResponder;
import dev.chatterbox.responder.ResponderShutdownKit;
import dev.chatterbox.responder.SquareResponder;
import org.junit.jupiter.api.Tag;

@Tag("long")
class ArtemisShutdownIT extends ResponderShutdownKit {

    ArtemisShutdownIT() {
        super(new ArtemisBroker(), "ARTEMIS_URL", "ActiveMQ");
    }

    @Override
    protected KeptResponder responder(String url, SquareResponder squares) {
        return new ArtemisResponder().artemisResponder(url, "test.squares", squares);
    }
}

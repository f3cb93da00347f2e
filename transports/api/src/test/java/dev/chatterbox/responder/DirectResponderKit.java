package dev.chatterbox.responder;

import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** The checks of our responders that listen on a port of their own and take protobuf. */
public abstract class DirectResponderKit extends ResponderKit implements ActuatorChecks, RefusalChecks {

    protected DirectResponderKit(String name) {
        super(Path.of(""), name, Map.of(), Map.of());
    }

    /** Returns when everything has arrived that was sent over this requester's connection before. */
    protected abstract void awaitArrivals(Requester requester);

    @Test
    void answersWhatItTookBeforeItStops() {
        answersWhatItTookBeforeItStops(this::awaitArrivals);
    }
}

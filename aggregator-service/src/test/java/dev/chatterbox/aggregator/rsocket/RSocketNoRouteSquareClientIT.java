package dev.chatterbox.aggregator.rsocket;

/** The client whose requests name no route. */
class RSocketNoRouteSquareClientIT extends RSocketSquareClientIT {

    @Override
    protected String row() {
        return "rsocket-no-route";
    }
}

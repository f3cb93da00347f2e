package dev.chatterbox.aggregator.rsocket;

/** With the payload alone. */
class RSocketNoRouteSquareClientIT extends RSocketSquareClientIT {

    @Override
    protected String row() {
        return "rsocket-no-route";
    }
}

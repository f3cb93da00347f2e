package dev.chatterbox.aggregator.nats;

class JnatsFlushSquareClientIT extends JnatsSquareClientIT {

    @Override
    protected String row() {
        return "nats-jnats-flush";
    }
}

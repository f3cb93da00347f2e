package dev.chatterbox.aggregator.artemis;

/** With requests that are stored. */
class ArtemisDurableSquareClientIT extends ArtemisSquareClientIT {

    @Override
    protected String row() {
        return "artemis-durable";
    }
}

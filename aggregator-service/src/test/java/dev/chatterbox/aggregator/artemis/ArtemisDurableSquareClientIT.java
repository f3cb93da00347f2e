package dev.chatterbox.aggregator.artemis;

/** The client with requests that are stored. */
class ArtemisDurableSquareClientIT extends ArtemisSquareClientIT {

    @Override
    protected String row() {
        return "artemis-durable";
    }
}

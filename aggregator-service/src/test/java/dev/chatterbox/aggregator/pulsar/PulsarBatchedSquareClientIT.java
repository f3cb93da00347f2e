package dev.chatterbox.aggregator.pulsar;

/** The client with the library's batching. */
class PulsarBatchedSquareClientIT extends PulsarContract {

    @Override
    protected String row() {
        return "pulsar-batched";
    }
}

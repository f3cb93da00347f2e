package dev.chatterbox.aggregator.pulsar;

/** With the library's batching. */
class PulsarBatchedSquareClientIT extends PulsarContract {

    @Override
    protected String row() {
        return "pulsar-batched";
    }
}

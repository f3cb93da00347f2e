package dev.chatterbox.aggregator.fanout;

import dev.chatterbox.aggregator.client.ScriptedClient;

/** A client that keeps what it is told of its row's bounds. */
class BoundedClient extends ScriptedClient {

    final FanOutProperties told;

    BoundedClient(FanOutProperties told) {
        this.told = told;
    }
}

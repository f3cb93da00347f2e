package dev.chatterbox.aggregator.fanout;

import dev.chatterbox.aggregator.client.CallLimits;
import dev.chatterbox.aggregator.client.ScriptedClient;

/** A client that keeps the limits of its row. */
class BoundedClient extends ScriptedClient {

    final CallLimits limits;

    BoundedClient(CallLimits limits) {
        this.limits = limits;
    }
}

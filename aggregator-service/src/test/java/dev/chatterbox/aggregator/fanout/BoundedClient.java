package dev.chatterbox.aggregator.fanout;

import dev.chatterbox.client.CallLimits;
import dev.chatterbox.client.ScriptedClient;

/** A client that keeps the limits of its variant. */
class BoundedClient extends ScriptedClient {

    final CallLimits limits;

    BoundedClient(CallLimits limits) {
        this.limits = limits;
    }
}

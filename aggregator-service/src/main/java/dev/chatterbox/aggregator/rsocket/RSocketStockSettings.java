package dev.chatterbox.aggregator.rsocket;

import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * What a row tells the stock client.
 *
 * @param targets the square service, {@code host:port}; of several, with commas between them, the first
 */
record RSocketStockSettings(@DefaultValue("127.0.0.1:7598") String targets) {

    RSocketStockSettings {
        if (!RSocketTarget.isOne(first(targets))) {
            throw new IllegalArgumentException("client.targets must be host:port, but it is " + targets);
        }
    }

    String target() {
        return first(targets);
    }

    private static String first(String targets) {
        return targets.split(",")[0];
    }
}

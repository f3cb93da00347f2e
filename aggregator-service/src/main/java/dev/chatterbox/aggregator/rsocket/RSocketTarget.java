package dev.chatterbox.aggregator.rsocket;

import java.net.URI;

/** Where square services are: a name that may have several addresses, and their port. */
record RSocketTarget(String host, int port) {

    /** Whether the text is {@code host:port}. */
    static boolean isOne(String text) {
        try {
            URI uri = uri(text);
            return uri.getHost() != null && uri.getPort() > 0;
        } catch (IllegalArgumentException e) {
            return false;
        }
    }

    static RSocketTarget of(String text) {
        URI uri = uri(text);
        return new RSocketTarget(uri.getHost(), uri.getPort());
    }

    private static URI uri(String text) {
        return URI.create("tcp://" + text);
    }
}

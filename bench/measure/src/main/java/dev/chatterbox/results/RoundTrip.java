package dev.chatterbox.results;

import org.jspecify.annotations.Nullable;

/**
 * What the network added to a round trip on one of its links: the time from a question to its answer over the network,
 * less the same time past the network.
 *
 * @param link the broker or responder behind it, with the side if two stacks are compared
 * @param distanceMillis the distance that was set
 * @param idleSeconds the lower quartile before the first block, when nothing is called; null if it was not measured
 */
public record RoundTrip(
        String link, int distanceMillis, @Nullable Double idleSeconds) {}

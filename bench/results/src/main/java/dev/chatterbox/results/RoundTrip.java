package dev.chatterbox.results;

import org.jspecify.annotations.Nullable;

/**
 * What the network between the processes made of the distance that was asked for, on one of its links: the time from a
 * question to its answer over the network, less the same without it.
 *
 * @param link the broker or responder behind it
 * @param distanceMillis that was asked for
 * @param idleSeconds before the first block, when nothing is called, the lower quartile; null if it was not measured
 * @param loadedSeconds in the slices of its rows, the median; null where no question was answered in them
 */
public record RoundTrip(
        String link,
        int distanceMillis,
        @Nullable Double idleSeconds,
        @Nullable Double loadedSeconds) {}

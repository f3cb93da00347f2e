package dev.chatterbox.report;

import dev.chatterbox.results.Results;
import dev.chatterbox.results.RoundTrip;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What the network made of the distances that were asked for, as fields of a table. */
final class RoundTripTable {

    static final String TITLE = "Round trips that the network puts in";

    static final List<String> NUMBERS = List.of("asked for", "idle", "under load");

    private RoundTripTable() {}

    static Table of(Results results) {
        Table.Builder table =
                Table.of(TITLE).words("round trips over the network, to").numbers(NUMBERS);
        for (RoundTrip trip : results.roundTrips()) {
            table.line(
                    Table.field(trip.link()),
                    numbers(trip).stream().map(Table::field).toList());
        }
        return table.build();
    }

    static List<String> numbers(RoundTrip trip) {
        return List.of(trip.distanceMillis() + " ms", millis(trip.idleSeconds()), millis(trip.loadedSeconds()));
    }

    /** In the unit of what was asked for. It may be less than nothing, where there was nothing to measure. */
    private static String millis(@Nullable Double seconds) {
        return seconds == null ? Numbers.NONE : Numbers.digits(seconds * 1e3) + " ms";
    }
}

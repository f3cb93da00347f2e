package dev.chatterbox.comparison;

import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The last readings of every row and of every responder, taken while nothing was under way. Rows may share a
 * responder, so its squares are counted from its own last reading, whichever row that was taken for: they belong to
 * the cell that ran since then.
 */
final class LastReadings {

    private final Map<String, AggregatorReading> rows = new HashMap<>();
    private final Map<String, ResponderReading> responders = new HashMap<>();

    /** Whether a reading of this row can be counted from. */
    boolean has(Target.RowTarget row) {
        return rows.containsKey(row.row().name())
                && row.responder().stream().allMatch(responder -> responders.containsKey(responder.name()));
    }

    /**
     * What was counted since.
     *
     * @return null if there is no reading to count from
     */
    @Nullable
    Reading since(Reading now) {
        AggregatorReading aggregator = rows.get(now.aggregator().row());
        ResponderReading responder =
                now.responder() == null ? null : responders.get(now.responder().responder());
        return aggregator == null || now.responder() != null && responder == null
                ? null
                : now.since(new Reading(aggregator, responder));
    }

    void keep(Reading now) {
        rows.put(now.aggregator().row(), now.aggregator());
        if (now.responder() != null) {
            responders.put(now.responder().responder(), now.responder());
        }
    }

    /** Nobody knows any more what was counted when. */
    void forget(Target.RowTarget row) {
        rows.remove(row.row().name());
        row.responder().ifPresent(responder -> responders.remove(responder.name()));
    }
}

package dev.chatterbox.comparison;

import java.util.List;
import java.util.Map;

/** {@code results.json}; its schema is documented in docs/results.md. */
public record Results(
        String schema,
        String name,
        String command,
        String started,
        String finished,
        boolean interrupted,
        Map<String, Object> environment,
        List<CellResult> cells,
        List<RawLimit> rawLimits,
        Counts counts,
        List<String> gatlingReports) {

    static final String SCHEMA = "chatterbox-results/1";

    /** Whether every row counts and every call was found again. */
    public boolean valid() {
        return cells.stream().allMatch(CellResult::valid)
                && rawLimits.stream().allMatch(RawLimit::valid)
                && (interrupted || counts.agree());
    }

    public boolean measuredNothing() {
        return cells.isEmpty() && rawLimits.isEmpty();
    }
}

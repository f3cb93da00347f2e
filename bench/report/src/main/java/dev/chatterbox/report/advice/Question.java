package dev.chatterbox.report.advice;

import dev.chatterbox.rows.Outlives;
import dev.chatterbox.workloads.Workload;
import java.util.Set;

/**
 * What somebody needs of a transport.
 *
 * @param workload of the open model, with a rate
 * @param mayBeLost whether a request may be lost with a process, because the caller tries again
 * @param outlivesRestart whether a request must still be there after a restart of responder or broker
 * @param brokers the brokers that run already; they exclude no row, but make one cheaper to operate
 */
public record Question(Workload workload, boolean mayBeLost, boolean outlivesRestart, Set<String> brokers) {

    /** The least that a request must outlive. */
    Outlives needed() {
        return outlivesRestart ? Outlives.BROKER : mayBeLost ? Outlives.NOTHING : Outlives.RESPONDER;
    }
}

package dev.chatterbox.workloads;

/**
 * A workload, a preset or a slice that cannot be understood; the message says what is wrong and what would be right,
 * so there is no stack trace.
 */
public final class WorkloadException extends RuntimeException {

    public WorkloadException(String message) {
        super(message, null, false, false);
    }
}

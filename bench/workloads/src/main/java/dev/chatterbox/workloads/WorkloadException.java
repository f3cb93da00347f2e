package dev.chatterbox.workloads;

/** A workload or a preset that cannot be understood; the message says what is wrong and what would be right. */
public final class WorkloadException extends RuntimeException {

    public WorkloadException(String message) {
        super(message);
    }
}

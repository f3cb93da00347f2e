package dev.chatterbox.processes;

/**
 * When a process started, as a text that distinguishes the process from every other one with the same pid: the boot of
 * the system, and the clock tick since the boot. These do not change when somebody sets the clock.
 */
final class ProcessStart {

    /** In proc(5), this is field 22 of the line, and the process' state is field 3. */
    private static final int START_TICK = 22 - 3;

    private ProcessStart() {}

    /** The start of a process; an empty text if the process has ended. */
    static String of(long pid) {
        return Proc.text("sys/kernel/random/boot_id")
                .flatMap(boot ->
                        Proc.stat(pid).map(stat -> "boot %s tick %s".formatted(boot.strip(), stat[START_TICK])))
                .orElse("");
    }
}

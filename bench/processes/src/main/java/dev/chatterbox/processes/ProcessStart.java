package dev.chatterbox.processes;

import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * When a process started, as a text that distinguishes the process from every other one with the same pid. On Linux the
 * text has the boot of the system and the clock tick since the boot, which do not change when somebody sets the clock.
 * On other systems it is an instant, in ISO 8601.
 */
final class ProcessStart {

    /** The system derives the instant from two clocks, which differ a little after the clock was set. */
    private static final Duration CLOCK_DRIFT = Duration.ofSeconds(2);

    /** In proc(5), this is field 22 of the line, and the process' state is field 3. */
    private static final int START_TICK = 22 - 3;

    private ProcessStart() {}

    /** The start of a process; the present time if the process has ended already. */
    static String of(ProcessHandle handle) {
        return tick(handle.pid())
                .orElseGet(() ->
                        handle.info().startInstant().orElseGet(Instant::now).toString());
    }

    /** @param start the text that {@link #of} returned, for this process or for an earlier one with its pid */
    static boolean matches(ProcessHandle handle, String start) {
        try {
            Instant expected = Instant.parse(start);
            return handle.info()
                    .startInstant()
                    .filter(found -> Duration.between(found, expected).abs().compareTo(CLOCK_DRIFT) <= 0)
                    .isPresent();
        } catch (DateTimeException noInstant) {
            return tick(handle.pid()).filter(start::equals).isPresent();
        }
    }

    private static Optional<String> tick(long pid) {
        return Proc.text("sys/kernel/random/boot_id")
                .flatMap(boot ->
                        Proc.stat(pid).map(stat -> "boot %s tick %s".formatted(boot.strip(), stat[START_TICK])));
    }
}

package dev.chatterbox.processes.clocks;

import dev.chatterbox.processes.Proc;
import java.util.Optional;

/**
 * The time of all processors up to one moment, in nanoseconds.
 *
 * @param busy in any process or in the kernel
 * @param stolen the time that other virtual machines took
 */
public record MachineTime(long busy, long stolen) {

    /** Empty if the system does not show it, as in some sandboxes. */
    public static Optional<MachineTime> now() {
        // The fields are: cpu user nice system idle iowait irq softirq steal …, in hundredths of a second.
        return Proc.text("stat")
                .flatMap(text -> text.lines().findFirst())
                .map(line -> line.split("\\s+"))
                .filter(field -> field.length > 8)
                .map(field -> new MachineTime(
                        ticks(field, 1) + ticks(field, 2) + ticks(field, 3) + ticks(field, 6) + ticks(field, 7),
                        ticks(field, 8)));
    }

    private static long ticks(String[] field, int index) {
        return Long.parseLong(field[index]) * 10_000_000;
    }
}

package dev.chatterbox.processes.clocks;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/**
 * What all processors had done at one moment, in nanoseconds. Linux only.
 *
 * @param busy with any process or the kernel
 * @param stolen by other virtual machines
 */
public record MachineTime(long busy, long stolen) {

    /** Empty elsewhere. */
    public static Optional<MachineTime> now() {
        try {
            String first = Files.readString(Path.of("/proc/stat"), StandardCharsets.US_ASCII)
                    .lines()
                    .findFirst()
                    .orElse("");
            // cpu user nice system idle iowait irq softirq steal …, in hundredths of a second
            String[] field = first.split("\\s+");
            long busy = ticks(field, 1) + ticks(field, 2) + ticks(field, 3) + ticks(field, 6) + ticks(field, 7);
            return field.length > 8 ? Optional.of(new MachineTime(busy, ticks(field, 8))) : Optional.empty();
        } catch (IOException | RuntimeException noLinux) {
            return Optional.empty();
        }
    }

    private static long ticks(String[] field, int index) {
        return Long.parseLong(field[index]) * 10_000_000;
    }
}

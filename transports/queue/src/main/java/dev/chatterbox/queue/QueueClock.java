package dev.chatterbox.queue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.temporal.ChronoUnit;

/** The time of messages, and whether two processes have the same clock. */
public final class QueueClock {

    private static final String BOOT = boot();

    private QueueClock() {}

    /** Microseconds since 1970. */
    public static long micros() {
        return ChronoUnit.MICROS.between(Instant.EPOCH, Instant.now());
    }

    /** Identifies the start of this machine, whose processes have one clock; empty where the system does not tell it. */
    public static String bootId() {
        return BOOT;
    }

    private static String boot() {
        try {
            return Files.readString(Path.of("/proc/sys/kernel/random/boot_id")).strip();
        } catch (IOException e) {
            return "";
        }
    }
}

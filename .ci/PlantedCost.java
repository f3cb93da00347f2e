package dev.chatterbox.responder;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Burns the CPU time that BURN names for this responder, in nanoseconds per answer, such as rest=6000,nats=600. Every
 * 64th answer burns that of all 64, so that reading the clock costs next to nothing. The file in the folder BURNT says
 * what was burnt. Only .ci/retest puts this class into a responder.
 */
final class PlantedCost {

    private static final int EVERY = 64;
    private static final ThreadMXBean CLOCK = ManagementFactory.getThreadMXBean();
    private static final String PROGRAM = System.getProperty("sun.java.command");
    private static final long NANOS = nanos();
    private static final Path FILE = Path.of(System.getenv("BURNT"), ProcessHandle.current().pid() + ".txt");

    private static final AtomicLong answers = new AtomicLong();
    private static final AtomicLong burnt = new AtomicLong();

    private PlantedCost() {}

    private static long nanos() {
        Matcher named = Pattern.compile("(\\w+)=(\\d+)").matcher(System.getenv("BURN"));
        while (named.find()) {
            if (PROGRAM.contains("square-service-" + named.group(1))) {
                return Long.parseLong(named.group(2));
            }
        }
        return 0;
    }

    static void some() {
        long count = answers.incrementAndGet();
        if (count % EVERY != 0) {
            return;
        }
        long begin = CLOCK.getCurrentThreadCpuTime();
        long now = begin;
        while (now < begin + EVERY * NANOS) {
            now = CLOCK.getCurrentThreadCpuTime();
        }
        long all = burnt.addAndGet(now - begin);
        if (count % (1000 * EVERY) == 0) {
            try {
                Files.writeString(FILE, "%s %d %d%n".formatted(PROGRAM, count, all));
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }
}

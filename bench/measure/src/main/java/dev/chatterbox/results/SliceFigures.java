package dev.chatterbox.results;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;

/**
 * What one slice showed: a fixed piece of work from idle to idle.
 *
 * @param start the start of the stack, from 1
 * @param block the block within the start, from 1
 * @param seconds from the first request to the last answer; 0 if the other side had its slice at the same time
 * @param requests right requests; of a bare client, calls
 * @param calls right calls, by which CPU time is divided
 * @param cpuNanos user and system time by role, from before the first request to 100 ms after the last answer, without
 *     the JIT's compiler threads
 * @param compilerNanos CPU time of the compiler threads of aggregator, or bare client, responder and broker
 * @param generatorBusy the part of {@code seconds}, 0 to 1, that the generator's busiest thread spent on a processor
 * @param threadEnded whether a thread of one of the processes ended, whose last CPU time is then not in the figure
 * @param memory the resident bytes after the slice, by role; empty if unknown
 * @param reasons sentences that say why the slice does not count; empty if it counts
 */
public record SliceFigures(
        int start,
        int block,
        double seconds,
        long requests,
        long calls,
        Map<String, Long> cpuNanos,
        long compilerNanos,
        double generatorBusy,
        boolean threadEnded,
        @JsonInclude(JsonInclude.Include.NON_EMPTY) Map<String, Long> memory,
        List<String> reasons) {

    /** {@code memory} is null in files of older versions. */
    public SliceFigures {
        memory = Objects.requireNonNullElse(memory, Map.of());
    }

    /** The beginning of a slice's reason if other programs used the processors in its block. */
    public static final String OTHER_PROGRAMS = "other programs took";

    /** Whether it does not count, and only because of other programs. */
    boolean isOnlyDisturbed() {
        return !reasons.isEmpty() && reasons.stream().allMatch(reason -> reason.startsWith(OTHER_PROGRAMS));
    }

    public boolean counts() {
        return reasons.isEmpty();
    }

    /** This slice with more reasons why it does not count. */
    public SliceFigures without(List<String> more) {
        List<String> all =
                Stream.concat(reasons.stream(), more.stream()).distinct().toList();
        return new SliceFigures(
                start,
                block,
                seconds,
                requests,
                calls,
                cpuNanos,
                compilerNanos,
                generatorBusy,
                threadEnded,
                memory,
                all);
    }

    /** CPU time of the ranked system: aggregator, or the bare client in its place, responder and broker. */
    public long systemNanos() {
        return Role.SYSTEM.stream().mapToLong(this::cpuNanos).sum();
    }

    /** CPU time of a role; 0 if it has no process. */
    public long cpuNanos(String role) {
        return cpuNanos.getOrDefault(role, 0L);
    }

    /** The part of the ranked system's CPU time, 0 to 1, that its compiler threads took; NaN if it took none at all. */
    double compilersShare() {
        return compilerNanos / (double) (compilerNanos + systemNanos());
    }
}

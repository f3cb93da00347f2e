package dev.chatterbox.results;

import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * What one slice showed: a fixed piece of work from idle to idle.
 *
 * @param start of the stack, from 1
 * @param block within the start, from 1
 * @param seconds from the first request to the last answer; 0 where the other side had its slice at the same time
 * @param fullSeconds until the first user had nothing left to do: what throughput is taken over; likewise
 * @param fullRequests right ones that ended in that time; of a bare client, calls
 * @param requests right ones of the whole slice
 * @param calls right ones of the whole slice: what CPU is divided by
 * @param cpuNanos user and system time by role, from before the first request to 100 ms after the last answer, without
 *     the JIT's compiler threads
 * @param compilerNanos CPU time of the compiler threads of aggregator, or bare client, responder and broker
 * @param otherRowsNanos CPU time that processes of other rows used meanwhile
 * @param rate requests started a second; null in the closed model
 * @param generatorBusy the part of {@code seconds}, 0 to 1, that the generator's busiest thread spent on a processor
 * @param threadEnded whether a thread of one of the processes ended, whose last CPU time is then not in the figure
 * @param reasons why the slice does not count, in sentences; empty where it does
 */
public record SliceFigures(
        int start,
        int block,
        double seconds,
        double fullSeconds,
        long fullRequests,
        long requests,
        long calls,
        Map<String, Long> cpuNanos,
        long compilerNanos,
        long otherRowsNanos,
        @Nullable Double rate,
        double generatorBusy,
        boolean threadEnded,
        List<String> reasons) {

    /** How the reason begins of a slice in whose block other programs used the processors. */
    public static final String OTHER_PROGRAMS = "other programs took";

    /** Whether nothing is wrong with it but what other programs did meanwhile. */
    boolean isOnlyDisturbed() {
        return !reasons.isEmpty() && reasons.stream().allMatch(reason -> reason.startsWith(OTHER_PROGRAMS));
    }

    public boolean counts() {
        return reasons.isEmpty();
    }

    /** The same with more reasons why it does not count. */
    public SliceFigures without(List<String> more) {
        List<String> all =
                Stream.concat(reasons.stream(), more.stream()).distinct().toList();
        return new SliceFigures(
                start,
                block,
                seconds,
                fullSeconds,
                fullRequests,
                requests,
                calls,
                cpuNanos,
                compilerNanos,
                otherRowsNanos,
                rate,
                generatorBusy,
                threadEnded,
                all);
    }

    /** CPU time of the system that is ranked: aggregator, or a bare client in its place, responder and broker. */
    public long systemNanos() {
        return Role.SYSTEM.stream()
                .mapToLong(role -> cpuNanos.getOrDefault(role, 0L))
                .sum();
    }
}

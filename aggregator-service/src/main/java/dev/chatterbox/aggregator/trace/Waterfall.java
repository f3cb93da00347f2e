package dev.chatterbox.aggregator.trace;

import com.fasterxml.jackson.annotation.JsonInclude;
import dev.chatterbox.traces.ResponderWork;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * A request as a picture: when each of its calls was sent and answered, and when its responder worked. All times are
 * microseconds since the request came.
 *
 * @param n how many calls the request made
 * @param micros until its last reply
 * @param clockOffsets what was added to each responder's clock, in microseconds, so that its work lies within its
 *     calls; 0 where it does so by itself; absent where nothing does
 * @param bars at most {@link #MOST}, in the order of their numbers: the fastest and the slowest call, and between them
 *     calls in even distances of their ranks
 */
public record Waterfall(
        String traceId, String variant, int n, double micros, Map<String, Double> clockOffsets, List<Bar> bars) {

    /** How many calls are shown. */
    static final int MOST = 200;

    /**
     * A call.
     *
     * @param sent when its wait for a turn was over
     * @param ended when its reply was checked
     * @param responder null where the reply does not say who answered; the two times are then null too
     * @param begun when the responder began
     * @param answered when the responder had its answer
     */
    @JsonInclude(JsonInclude.Include.NON_NULL)
    public record Bar(
            int number,
            double sent,
            double ended,
            @Nullable String responder,
            @Nullable Double begun,
            @Nullable Double answered) {}

    /**
     * @param sent and {@code ended} are nanoseconds since the request came
     * @param work null if the reply does not tell it
     */
    record Call(int number, long sent, long ended, @Nullable ResponderWork work) {}

    /**
     * @param begun when the request came, in nanoseconds since 1970
     * @param took nanoseconds
     */
    static Waterfall of(String traceId, String variant, long begun, long took, List<Call> calls) {
        Map<String, Long> offsets = offsets(begun, calls);
        Map<String, Double> shown = new TreeMap<>();
        offsets.forEach((responder, offset) -> shown.put(responder, micros(offset)));
        List<Bar> bars =
                sample(calls).stream().map(call -> bar(begun, call, offsets)).toList();
        return new Waterfall(traceId, variant, calls.size(), micros(took), shown, bars);
    }

    private static List<Call> sample(List<Call> calls) {
        if (calls.size() <= MOST) {
            return calls;
        }
        List<Call> ranked = new ArrayList<>(calls);
        ranked.sort(Comparator.comparingLong(call -> call.ended() - call.sent()));
        List<Call> sample = new ArrayList<>();
        for (int i = 0; i < MOST; i++) {
            sample.add(ranked.get((int) ((long) i * (ranked.size() - 1) / (MOST - 1))));
        }
        sample.sort(Comparator.comparingInt(Call::number));
        return sample;
    }

    private static Bar bar(long begun, Call call, Map<String, Long> offsets) {
        ResponderWork work = call.work();
        if (work == null) {
            return new Bar(call.number(), micros(call.sent()), micros(call.ended()), null, null, null);
        }
        long offset = offsets.getOrDefault(work.responder(), 0L) - begun;
        return new Bar(
                call.number(),
                micros(call.sent()),
                micros(call.ended()),
                work.responder(),
                micros(within(call, work.begun() + offset)),
                micros(within(call, work.ended() + offset)));
    }

    private static long within(Call call, long time) {
        return Math.max(call.sent(), Math.min(call.ended(), time));
    }

    /**
     * What must be added to each responder's clock, in nanoseconds: no work begins before its call is sent or ends
     * after its reply. That leaves a range; 0 is taken if it lies in the range, otherwise the middle. There is no range
     * where processes with different clocks have one name, or a clock was set meanwhile: then nothing is added.
     */
    private static Map<String, Long> offsets(long begun, List<Call> calls) {
        Map<String, Long> least = new TreeMap<>();
        Map<String, Long> most = new TreeMap<>();
        for (Call call : calls) {
            ResponderWork work = call.work();
            if (work != null) {
                least.merge(work.responder(), begun + call.sent() - work.begun(), Math::max);
                most.merge(work.responder(), begun + call.ended() - work.ended(), Math::min);
            }
        }
        Map<String, Long> offsets = new TreeMap<>();
        least.forEach((responder, lower) -> {
            long upper = most.getOrDefault(responder, lower);
            if (lower <= upper) {
                offsets.put(responder, lower <= 0 && upper >= 0 ? 0 : lower + (upper - lower) / 2);
            }
        });
        return offsets;
    }

    private static double micros(long nanos) {
        return nanos / 1e3;
    }
}

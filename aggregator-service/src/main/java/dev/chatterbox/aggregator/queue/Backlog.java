package dev.chatterbox.aggregator.queue;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.HdrHistogram.Histogram;
import org.jspecify.annotations.Nullable;

/**
 * How the messages of a run pile up while its consumers are held, and how they go when they are not. For one thread,
 * which looks several times a second.
 */
final class Backlog {

    /** Messages that were published and not yet received, below which a backlog counts as drained; or half a second's. */
    private static final int FEW = 1_000;

    private static final Duration SAMPLE_EVERY = Duration.ofSeconds(1);

    private static final List<String> PHASES = List.of("held", "draining", "drained");

    private final Published published;
    private final Received received;
    private final long heldNanos;
    private final int few;
    private final long begin;
    private final List<Phase> phases = new ArrayList<>();
    private final List<Sample> samples = new ArrayList<>();
    private Moment since;

    /**
     * @param phases in the order of time; the later ones are absent if the run was over before
     * @param samples one a second
     */
    record Result(List<Phase> phases, List<Sample> samples) {}

    /**
     * A part of the run.
     *
     * @param name {@code held}: nobody consumes; {@code draining}: until few messages wait; {@code drained}: until the end
     * @param published messages in this part; {@code received}: likewise
     * @param waiting published and not yet received at its end
     * @param acknowledge how long messages waited for their acknowledgement; null without acknowledgements
     */
    record Phase(
            String name,
            double seconds,
            int published,
            long received,
            long waiting,
            @JsonInclude(JsonInclude.Include.ALWAYS) QueueResult.@Nullable Latency acknowledge) {}

    /** @param seconds since the first message was published; messages until then */
    record Sample(double seconds, int published, long received) {}

    private record Moment(long time, int published, long received, Histogram waits) {}

    /** @param begin when the first message was published, by {@link System#nanoTime} */
    Backlog(Published published, Received received, QueueRequest request, long begin) {
        this.published = published;
        this.received = received;
        this.begin = begin;
        heldNanos = Duration.ofSeconds(request.heldSeconds()).toNanos();
        few = Math.max(FEW, request.rate() / 2);
        since = new Moment(begin, 0, 0, new Histogram(3));
    }

    /** Whether the consumers are held at this time. */
    boolean isHeld(long now) {
        return now - begin < heldNanos;
    }

    void look(long now) {
        if (now - begin >= samples.size() * SAMPLE_EVERY.toNanos()) {
            samples.add(new Sample((now - begin) / 1e9, published.count(), received.fewest()));
        }
        boolean over =
                phases.isEmpty() ? !isHeld(now) : phases.size() == 1 && published.count() - received.fewest() <= few;
        if (over) {
            end(now);
        }
    }

    private void end(long now) {
        Moment moment = new Moment(
                now, published.count(), received.fewest(), published.waits().copy());
        Histogram waits = moment.waits.copy();
        waits.subtract(since.waits);
        phases.add(new Phase(
                PHASES.get(phases.size()),
                (now - since.time) / 1e9,
                moment.published - since.published,
                moment.received - since.received,
                Math.max(0, moment.published - moment.received),
                QueueResult.Latency.of(waits)));
        since = moment;
    }

    /** Ends the last phase. */
    Result result(long now) {
        end(now);
        return new Result(List.copyOf(phases), List.copyOf(samples));
    }
}

package dev.chatterbox.comparison;

import dev.chatterbox.stack.Target;
import dev.chatterbox.workloads.Load;
import dev.chatterbox.workloads.SliceResult;
import dev.chatterbox.workloads.Workload;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The cells of a comparison, and how many requests a slice of each has. The first calibration in which the variant
 * answers right finds this number; it is the same in all later starts and for both sides.
 */
final class Cells {

    /** The numbers of calls in flight that are tried with a bare client, which is then measured with the best one. */
    private static final List<Integer> IN_FLIGHT = List.of(256, 1024, 4096, 16_384);

    /** The calls in flight of a bare client's warm-up. */
    private static final int WARM_UP_IN_FLIGHT = 1024;

    /** A larger number of calls in flight is taken only if it gives at least so many times the calls per second. */
    private static final double BETTER = 1.05;

    /**
     * The fewest requests of each user in a slice. Throughput counts the end of a slice, too, when some users are idle
     * already; the more requests a user has, the less this matters. With 4 of them REST and NATS lost 3 % more than
     * with 20 (1000 calls, 5 users); the loss falls with the square root, so 8 lose about 2 %.
     */
    private static final int LEAST_OF_A_USER = 8;

    /**
     * What the calibration of a subject found.
     *
     * @param perSecond right requests per second; 0 if no request was answered right
     * @param requests of a slice: at least {@link #LEAST_OF_A_USER} for each user, or 30 at a rate; with one user also
     *     at least 2000 calls or a second. Of a queue at least one
     * @param last the result of the last look; null if the run was interrupted before it
     */
    record Calibration(
            double perSecond, long requests, @Nullable SliceResult last) {

        static final Calibration NONE = new Calibration(0, 0, null);

        /** Fewer requests at a rate show no percentile. */
        private static final int LEAST_AT_A_RATE = 30;

        static Calibration of(Subject subject, SliceResult result, double seconds) {
            double perSecond = result.right() / Math.max(1e-6, result.seconds());
            double requests = perSecond * seconds;
            if (subject.bare()) {
                // The client may carry fewer calls in flight than were ordered.
                requests = Math.max(requests, (double) LEAST_OF_A_USER * result.inFlight());
            } else if (subject.isQueue()) {
                return new Calibration(perSecond, (long) Math.ceil(Math.max(1, requests)), result);
            } else if (subject.workload().load() instanceof Load.Users users) {
                requests = Math.max(requests, (double) LEAST_OF_A_USER * users.count());
                if (users.count() == 1) {
                    requests = Math.max(
                            requests, Math.min(2000.0 / subject.workload().calls(), perSecond));
                }
            } else {
                requests = Math.max(requests, LEAST_AT_A_RATE);
            }
            return new Calibration(perSecond, (long) Math.ceil(Math.max(LEAST_OF_A_USER, requests)), result);
        }
    }

    private final Preset preset;
    private final List<String> variants;
    private final Map<String, CellLog> logs = new LinkedHashMap<>();

    /** How many requests a slice has, by the name of the work. */
    private final Map<String, Size> sizes = new HashMap<>();

    private final Map<String, Double> capacities = new HashMap<>();
    private final Map<Workload, Workload> rates = new HashMap<>();
    private final Map<String, Subject> bareClients = new HashMap<>();

    /** @param start the start whose calibration found the number */
    private record Size(int start, long requests) {}

    /**
     * @param variants the names of the compared variants; {@code memory} is among them only if somebody asked for it
     */
    Cells(Preset preset, List<String> variants) {
        this.preset = preset;
        this.variants = variants;
    }

    List<String> variants() {
        return variants;
    }

    Collection<CellLog> all() {
        return logs.values();
    }

    /**
     * Calibrates the cells of the variants. The closed model comes first, because rates may be shares of its
     * capacities.
     *
     * @return the cells without those that got no right answer, which keep only the slice that shows this
     */
    List<CellLog> calibrate(LocalRun run, List<Subject> variants) {
        List<CellLog> found = new ArrayList<>();
        List<Workload> workloads = preset.workloads().stream()
                .sorted(Comparator.comparing(Workload::isOpen))
                .toList();
        for (Workload workload : workloads) {
            for (Subject variant : variants) {
                if (run.interrupted() || !variant.has(workload.mode())) {
                    continue;
                }
                atRate(workload).ifPresent(fixed -> {
                    Subject subject = variant.under(fixed);
                    variant.target().setDistance(fixed.distanceMillis());
                    calibrate(run, subject, preset.headline().contains(workload))
                            .ifPresent(found::add);
                });
            }
        }
        return found;
    }

    /** The cell of a subject. Until its calibration, its slices have no fixed number of requests. */
    CellLog of(Subject subject, boolean headline) {
        CellLog log = logs.computeIfAbsent(subject.id(), id -> new CellLog(subject, headline));
        log.serve(subject);
        return log;
    }

    private Optional<CellLog> calibrate(LocalRun run, Subject subject, boolean headline) {
        run.progress.doing("calibrating " + subject, 1.5 * preset.effort().sliceSeconds());
        Calibration calibration = run.calibrate(subject, preset.effort().sliceSeconds());
        if (run.interrupted()) {
            return Optional.empty();
        }
        CellLog log = log(subject, headline, calibration, run.start);
        if (calibration.perSecond() == 0) {
            run.addFailed(log, calibration);
            run.progress.always("  %s: no request is answered right, so it is not measured".formatted(subject));
            return Optional.empty();
        }
        run.progress.log("%s: %d requests per slice".formatted(subject, log.requests()));
        return Optional.of(log);
    }

    /**
     * The cell of a subject after its calibration. A calibration in which no request was answered right says nothing
     * about how many requests a slice needs, so it leaves that to the next start, or to the other side.
     */
    CellLog log(Subject subject, boolean headline, Calibration calibration, int start) {
        CellLog log = of(subject, headline);
        if (calibration.perSecond() == 0) {
            log.order(Math.max(log.requests(), calibration.requests()));
            return log;
        }
        size(log, calibration.perSecond(), new Size(start, calibration.requests()), false);
        if (!subject.workload().isOpen()) {
            capacities.merge(capacityKey(subject.variant(), subject.workload()), calibration.perSecond(), Math::max);
        }
        return log;
    }

    /** @param corrects whether a number that was found in the same start is replaced */
    private void size(CellLog log, double perSecond, Size found, boolean corrects) {
        Size size = sizes.merge(
                log.subject().work(), found, (known, now) -> corrects && known.start() == now.start() ? now : known);
        log.order(size.requests());
        log.expect(size.requests() / perSecond);
    }

    /**
     * Corrects by a rehearsal how many requests a slice has, for the same work on each side.
     *
     * @param results one of each side
     * @param start the number of the start: only the one that found how many requests a slice has may correct it
     */
    void correct(List<CellLog> sides, List<SliceResult> results, int start) {
        List<Calibration> found = IntStream.range(0, sides.size())
                .mapToObj(i -> Calibration.of(
                        sides.get(i).subject(), results.get(i), preset.effort().sliceSeconds()))
                .toList();
        // A side that answered nothing right does not decide for the other one.
        long least = found.stream()
                .filter(calibration -> calibration.perSecond() > 0)
                .mapToLong(Calibration::requests)
                .min()
                .orElse(0);
        for (int i = 0; i < sides.size(); i++) {
            CellLog log = sides.get(i);
            double rate = found.get(i).perSecond();
            if (rate > 0 && !log.subject().workload().isOpen()) {
                size(log, rate, new Size(start, least), true);
            }
        }
    }

    private static String capacityKey(String variant, Workload workload) {
        return variant + " " + workload.under(new Load.Users(1));
    }

    /** Turns a share of the slowest variant's capacity into a rate, once for the run; empty if no capacity is known. */
    private Optional<Workload> atRate(Workload workload) {
        if (!(workload.load() instanceof Load.Share share)) {
            return Optional.of(workload);
        }
        if (!rates.containsKey(workload)) {
            variants.stream()
                    .flatMap(variant -> Stream.ofNullable(capacities.get(capacityKey(variant, workload))))
                    .min(Comparator.naturalOrder())
                    .ifPresent(capacity -> rates.put(workload, workload.under(share.of(capacity))));
        }
        return Optional.ofNullable(rates.get(workload));
    }

    /** Starts and calibrates the bare clients. Variants with the same client, responder and broker share one. */
    List<CellLog> bareClients(LocalRun run, List<Subject> variants) {
        Map<List<Object>, Subject> first = new LinkedHashMap<>();
        for (Subject variant : variants) {
            Target.VariantTarget target = variant.variantTarget();
            if (target.rawClient().isPresent() && variant.target().network().isEmpty()) {
                first.putIfAbsent(List.of(target.rawClient().get(), target.responder(), target.brokers()), variant);
            }
        }
        List<CellLog> found = new ArrayList<>();
        for (Subject variant : first.values()) {
            if (run.interrupted()) {
                break;
            }
            if (preset.warmUpLoad().isPresent()) {
                new WarmUp(run, preset)
                        .load(variant.variant() + ", bare client", List.of(bare(variant, WARM_UP_IN_FLIGHT)), 1);
            }
            calibrate(run, best(run, variant), false).ifPresent(found::add);
        }
        return found;
    }

    private static Subject bare(Subject variant, int inFlight) {
        return new Subject(
                variant.side(), variant.target(), variant.variant(), true, Workload.unary(1, new Load.Users(inFlight)));
    }

    /** Finds the best number of calls in flight in the first start; later starts keep it. */
    private Subject best(LocalRun run, Subject variant) {
        Subject known = bareClients.get(variant.variant());
        if (known != null && known.workload().load() instanceof Load.Users users) {
            return bare(variant, users.count());
        }
        Subject best = bare(variant, IN_FLIGHT.get(0));
        double most = 0;
        for (int inFlight : IN_FLIGHT) {
            Subject subject = bare(variant, inFlight);
            run.progress.doing("calibrating " + subject, 1.5 * preset.effort().sliceSeconds());
            Calibration found = run.calibrate(subject, preset.effort().sliceSeconds());
            if (found.perSecond() > BETTER * most) {
                most = found.perSecond();
                best = subject;
            }
            if (found.last() != null && found.last().inFlight() < inFlight) {
                // The client carries no more calls than this.
                break;
            }
        }
        bareClients.put(variant.variant(), best);
        return best;
    }
}

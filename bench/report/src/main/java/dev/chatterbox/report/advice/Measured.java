package dev.chatterbox.report.advice;

import dev.chatterbox.report.prediction.Prediction.PredictedFigure;
import dev.chatterbox.report.prediction.Range;
import dev.chatterbox.results.Cell;
import dev.chatterbox.results.Estimator;
import dev.chatterbox.results.Ranking;
import dev.chatterbox.results.Ranking.Place;
import dev.chatterbox.results.Results;
import dev.chatterbox.results.Role;
import dev.chatterbox.workloads.Load;
import dev.chatterbox.workloads.Workload;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A load of the open model that was measured over several rows, which needs no prediction.
 *
 * @param places of its ranking, by row
 */
record Measured(Workload workload, double rate, Map<String, Place> places) {

    static List<Measured> of(Results results, Estimator estimator) {
        return results.workloads().stream()
                .filter(workload -> workload.load() instanceof Load.Rate && workload.distanceMillis() == 0)
                .map(workload -> Ranking.of(
                        workload,
                        results.rows(workload).stream()
                                .filter(cell -> cell.side() == null)
                                .toList(),
                        estimator))
                .filter(ranking -> !ranking.places().isEmpty())
                .map(Measured::of)
                .toList();
    }

    private static Measured of(Ranking ranking) {
        Map<String, Place> places = new LinkedHashMap<>();
        ranking.places().stream()
                .filter(place -> !place.cell().isZeroLine())
                .forEach(place -> places.put(place.row(), place));
        return new Measured(ranking.workload(), rate(ranking.workload()), places);
    }

    static double rate(Workload workload) {
        return ((Load.Rate) workload.load()).perSecond();
    }

    /** The one of the same shape with the nearest rate, if it says the same; there is none for a load with a distance. */
    static Optional<Measured> near(List<Measured> all, Workload workload) {
        return all.stream()
                .filter(one -> workload.differsOnlyInLoadFrom(one.workload))
                .filter(one -> one.factor(workload) <= Range.SAME_RATE)
                .min(Comparator.comparingDouble(one -> one.factor(workload)));
    }

    private double factor(Workload workload) {
        return Math.max(rate, rate(workload)) / Math.min(rate, rate(workload));
    }

    /** What a row used, as processors for a call a second; empty if the row has no figure that can be ranked. */
    Optional<Figures> figures(String row) {
        return Optional.ofNullable(places.get(row))
                .filter(place -> place.cell().isRanked())
                .map(Figures::of);
    }

    /** Why a row has no figure. */
    String refusal(String row) {
        Place place = places.get(row);
        return place == null
                ? "it was not measured under this load"
                : place.cell().doubts().stream().findFirst().orElse("its cell is not valid");
    }

    /**
     * @param cores processor-seconds of a call by role
     * @param system the same of all of them, with the 99 % interval
     * @param p50 seconds; empty if it is not known
     */
    record Figures(Map<String, Double> cores, PredictedFigure system, Optional<Double> p50, List<String> ties) {

        static Figures of(Place place) {
            Cell cell = place.cell();
            Map<String, Double> cores = new LinkedHashMap<>();
            for (String role : Role.SYSTEM) {
                cell.cpuMicros(role).ifPresent(micros -> cores.put(role, micros / 1e6));
            }
            return new Figures(
                    cores,
                    new PredictedFigure(
                            place.cost().value() / 1e6,
                            place.cost().from() / 1e6,
                            place.cost().to() / 1e6),
                    Optional.ofNullable(cell.requestLatency().p50())
                            .filter(p50 -> !cell.requestLatency().isLowerBound(p50)),
                    place.ties());
        }
    }
}

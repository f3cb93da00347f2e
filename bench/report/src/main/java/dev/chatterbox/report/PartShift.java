package dev.chatterbox.report;

import dev.chatterbox.results.Cell;
import dev.chatterbox.results.Figures;
import dev.chatterbox.results.Role;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * What each process takes of a call's CPU in two runs. Whatever else a machine does slows aggregator, responder and
 * broker nearly alike for as long as it lasts, so their parts scatter far less from round to round than the sum does
 * (docs/how-we-measure.md has by how much). A change of one process, which the sum hides, shows in the parts; a
 * change of all of them by the same factor does not.
 *
 * @param parts in the order in which a call passes the processes; at least two
 */
record PartShift(List<Part> parts) {

    /**
     * @param before the part in run A, 0 to 1, the median of the rounds
     * @param after the same in run B
     * @param chance that the rounds lie so far apart if nothing differs, 0 to 1
     */
    record Part(String role, double before, double after, double chance) {

        /** Empty where one of the figures was not measured. */
        static Optional<Part> of(String role, Figure before, Figure after) {
            return before.exists() && after.exists()
                    ? Optional.of(new Part(role, before.median(), after.median(), Noise.chance(before, after)))
                    : Optional.empty();
        }

        /** The sum of a call's CPU, B by A, if the other processes cost what they did. */
        double ifItChanged() {
            return (1 - before) / (1 - after);
        }

        /** The same if this process costs what it did. */
        double ifTheOthersChanged() {
            return before / after;
        }

        private boolean counts() {
            return chance < Noise.LEVEL && ifItChanged() - 1 > Metric.CPU.floorBetweenRuns();
        }

        private String text() {
            return "%s %s → %s".formatted(role, Numbers.percent(before), Numbers.percent(after));
        }
    }

    /** Empty where one process is the whole system, or where not all of its parts were measured in both runs. */
    static Optional<PartShift> of(Cell a, Cell b) {
        List<String> roles = Role.SYSTEM.stream()
                .filter(role -> shares(a, role).exists() || shares(b, role).exists())
                .toList();
        List<Part> parts = roles.stream()
                .flatMap(role -> Part.of(role, shares(a, role), shares(b, role)).stream())
                .toList();
        return parts.size() < 2 || parts.size() < roles.size() ? Optional.empty() : Optional.of(new PartShift(parts));
    }

    private static Figure shares(Cell cell, String role) {
        return Figure.of(cell.counted().stream()
                .mapToDouble(round -> share(round.figures(), role))
                .filter(Double::isFinite)
                .toArray());
    }

    private static double share(Figures figures, String role) {
        return Numbers.orNaN(figures.cpu().get(role)) / Numbers.orNaN(figures.cpuSystem());
    }

    /**
     * The part that grew most, of those whose growth is more than chance and worth more than the floor between two
     * runs. Whether its process costs more or the others cost less, the parts do not tell. Of a process that is nearly
     * the whole system, they see less than the sum: what it saves makes the small others grow by little.
     */
    Optional<Part> grown() {
        return parts.stream().filter(Part::counts).max(Comparator.comparingDouble(Part::ifItChanged));
    }

    /** "aggregator 56 % → 46 %, responder 44 % → 54 %" */
    String text() {
        return parts.stream().map(Part::text).collect(Collectors.joining(", "));
    }

    /** The same with the chance beside the part that grew. */
    String judgedText() {
        return parts.stream()
                .map(part -> grown().filter(part::equals).isPresent()
                        ? "%s p %s".formatted(part.text(), Numbers.chance(part.chance()))
                        : part.text())
                .collect(Collectors.joining(", "));
    }
}

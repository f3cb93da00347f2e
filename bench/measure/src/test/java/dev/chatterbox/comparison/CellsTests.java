package dev.chatterbox.comparison;

import static org.assertj.core.api.Assertions.assertThat;

import dev.chatterbox.comparison.Cells.Calibration;
import dev.chatterbox.stack.Member;
import dev.chatterbox.stack.Target;
import dev.chatterbox.variants.Variants;
import dev.chatterbox.workloads.SliceResult;
import dev.chatterbox.workloads.Workload;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class CellsTests {

    private final Preset preset = Preset.read(Path.of("../workloads/presets"), "quick");
    private final Cells cells = new Cells(preset, List.of("nats"));
    private final Member aggregator = Member.of("aggregator", 1, 1);
    private final Target target = new Target(
            Target.Service.of(aggregator),
            List.of(new Target.VariantTarget(
                    Variants.read(Path.of("../../variants")).find("nats").orElseThrow(),
                    Optional.empty(),
                    Optional.empty(),
                    List.of(),
                    Optional.empty(),
                    Optional.empty(),
                    Optional.empty())),
            List.of(aggregator),
            Optional.empty(),
            Map.of());

    private Subject subject(String side) {
        return new Subject(side, target, "nats", false, Workload.parse("unary calls=10 users=1"));
    }

    /** What a look of a slice's length shows in which so many requests were right. */
    private SliceResult right(long requests) {
        double seconds = preset.effort().sliceSeconds();
        return new SliceResult("s", seconds, requests, Map.of(), 0, 0);
    }

    private CellLog calibrated(String side, int start, long right) {
        Subject subject = subject(side);
        return cells.log(
                subject,
                true,
                Calibration.of(subject, right(right), preset.effort().sliceSeconds()),
                start);
    }

    /** Otherwise every slice of the variant would have the least number of requests, and could be ranked. */
    @Test
    void aCalibrationThatFoundNothingRightLeavesTheNumberOfRequestsToTheNextStart() {
        assertThat(calibrated("", 1, 0).requests()).as("what the failure shows").isEqualTo(8);

        CellLog log = calibrated("", 2, 600);

        assertThat(log.requests()).isEqualTo(600);
        cells.correct(List.of(log), List.of(right(700)), 2);
        assertThat(log.requests()).as("the rehearsal of the same start").isEqualTo(700);
        assertThat(calibrated("", 3, 900).requests()).as("later starts").isEqualTo(700);
        cells.correct(List.of(log), List.of(right(900)), 3);
        assertThat(log.requests()).isEqualTo(700);
    }

    @Test
    void aSideThatAnswersNothingRightDoesNotDecideForTheOther() {
        CellLog base = calibrated("base", 1, 0);
        CellLog other = calibrated("this", 1, 600);

        assertThat(other.requests()).isEqualTo(600);
        cells.correct(List.of(base, other), List.of(right(0), right(500)), 1);
        assertThat(other.requests()).isEqualTo(500);
    }

    /** Else the clocks of the aggregator would cast doubt on messages that it has nothing to do with. */
    @Test
    void oneWayMessagesAreNotServedByTheAggregator() {
        Subject calls = subject("");

        assertThat(calls.processNames()).containsExactly("aggregator");
        assertThat(calls.under(Workload.parse("queue calls=10 users=1")).processNames())
                .isEmpty();
    }
}

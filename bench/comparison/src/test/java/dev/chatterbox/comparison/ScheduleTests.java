package dev.chatterbox.comparison;

import static org.assertj.core.api.Assertions.assertThat;

import dev.chatterbox.workloads.Load;
import dev.chatterbox.workloads.Workload;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class ScheduleTests {

    private static final List<String> ABC = List.of("a", "b", "c");
    private static final Workload SHARE = Workload.parse("calls=10 rate=50%");
    private static final Preset PRESET = PresetTests.preset("measure", "5s");

    @Test
    void rotatesTheRowsFromRoundToRound() {
        List<Slot> slots =
                Schedule.of(PRESET.withRounds(3), ABC, Optional.empty(), name -> List.of(closed(name, 1, 10)));

        assertThat(slots)
                .extracting(slot -> slot.cell().row())
                .containsExactly("a", "b", "c", "a", "b", "c", "b", "c", "a", "c", "a", "b");
        assertThat(slots).extracting(Slot::round).containsExactly(0, 0, 0, 1, 1, 1, 2, 2, 2, 3, 3, 3);
    }

    @Test
    void runsAWorkloadOverAllRowsBeforeTheNext() {
        List<Slot> slots = Schedule.of(
                PRESET.withRounds(1),
                ABC,
                Optional.empty(),
                name -> List.of(closed(name, 1, 10), closed(name, 100, 10)));

        assertThat(slots)
                .filteredOn(slot -> !slot.isFirstWarmUp())
                .extracting(Slot::id)
                .containsExactly(
                        "1 a unary calls=1 users=10",
                        "1 b unary calls=1 users=10",
                        "1 c unary calls=1 users=10",
                        "1 a unary calls=100 users=10",
                        "1 b unary calls=100 users=10",
                        "1 c unary calls=100 users=10");
    }

    @Test
    void warmsUpEveryCellOfEveryRowBeforeTheFirstRound() {
        Preset preset = PresetTests.preset("first-warm-up", "2s..12s").withRounds(1);
        List<Slot> slots =
                Schedule.of(preset, ABC, Optional.empty(), name -> List.of(closed(name, 1, 10), closed(name, 100, 10)));

        assertThat(slots).hasSize(12);
        assertThat(slots.subList(0, 6)).allSatisfy(slot -> {
            assertThat(slot.isFirstWarmUp()).isTrue();
            assertThat(slot.id()).startsWith("warm-up ");
            assertThat(slot.warmUp()).as("beyond what ends it").isEqualTo(WarmUpBounds.fixed(16));
            assertThat(slot.seconds()).isEqualTo(0.1);
            assertThat(slot.likelySeconds()).as("the least, and a window more").isEqualTo(4);
        });
        assertThat(slots.subList(6, 12)).allSatisfy(slot -> {
            assertThat(slot.isFirstWarmUp()).isFalse();
            assertThat(slot.warmUp()).isEqualTo(preset.timing().warmUp());
            assertThat(slot.seconds()).isEqualTo(preset.secondsOf(slot.cell().workload()));
        });
    }

    @Test
    void beginsWithTheHeavyLoadInTurnsWhateverIsMeasured() {
        Preset preset = PresetTests.preset("first-warm-up", "0.1s..0.1s").withRounds(1);
        Optional<Workload> load = Optional.of(Workload.parse("calls=1000 users=100"));

        assertThat(Schedule.of(preset, List.of("a", "b"), load, name -> List.of(closed(name, 1, 1))))
                .extracting(Slot::id)
                .containsExactly(
                        "warm-up 1 a unary calls=1000 users=100",
                        "warm-up 1 b unary calls=1000 users=100",
                        "warm-up 2 a unary calls=1000 users=100",
                        "warm-up 2 b unary calls=1000 users=100",
                        "warm-up a unary calls=1 users=1",
                        "warm-up b unary calls=1 users=1",
                        "1 a unary calls=1 users=1",
                        "1 b unary calls=1 users=1");
        assertThat(Schedule.of(preset, List.of("a"), load, name -> List.of(closed(name, 1000, 100))))
                .as("what is measured under this load has had it")
                .extracting(Slot::id)
                .containsExactly(
                        "warm-up 1 a unary calls=1000 users=100",
                        "warm-up 2 a unary calls=1000 users=100",
                        "1 a unary calls=1000 users=100");
        assertThat(Schedule.of(preset, ABC, load, name -> List.of())).isEmpty();
    }

    @Test
    void startsEveryRowSevenTimesBeforeTheFirstRound() {
        Preset preset = PresetTests.preset("first-warm-up", "2s..60s").withRounds(1);
        Optional<Workload> load = Optional.of(Workload.parse("calls=100 users=100"));

        for (List<Integer> calls : List.of(List.of(100), List.of(1, 100), List.of(1, 2, 3, 4, 100))) {
            List<Slot> before = Schedule.of(
                            preset,
                            List.of("a", "b"),
                            load,
                            name -> calls.stream()
                                    .map(each -> closed(name, each, 100))
                                    .toList())
                    .stream()
                    .filter(slot -> slot.isFirstWarmUp() && slot.cell().row().equals("b"))
                    .toList();

            assertThat(before).hasSize(7);
            assertThat(before)
                    .as("the first turn, the last one and the cells end when they are warm")
                    .filteredOn(Slot::watched)
                    .hasSize(2 + calls.size() - 1);
            assertThat(before.get(0).watched()).isTrue();
        }
    }

    @Test
    void startsARowOfFewerCellsAsOften() {
        Preset preset = PresetTests.preset("first-warm-up", "2s..60s").withRounds(1);
        Optional<Workload> load = Optional.of(Workload.parse("calls=100 users=100"));

        assertThat(Schedule.of(
                        preset,
                        List.of("a", "b"),
                        load,
                        name -> name.equals("a")
                                ? List.of(closed(name, 1, 1), closed(name, 2, 1), closed(name, 3, 1))
                                : List.of(closed(name, 1, 1))))
                .filteredOn(slot -> slot.isFirstWarmUp() && slot.cell().row().equals("b"))
                .hasSize(7);
    }

    @Test
    void hasNoFirstWarmUpWhereThePresetGivesItNoTime() {
        Preset none = PresetTests.preset("first-warm-up", "0s..0s").withRounds(1);

        assertThat(Schedule.of(none, ABC, Optional.empty(), name -> List.of(closed(name, 1, 1))))
                .hasSize(3)
                .noneMatch(Slot::isFirstWarmUp);
    }

    @Test
    void goesOnWithoutARowThatHasNoCapacity() {
        List<Slot> slots = Schedule.of(
                PRESET.withRounds(1),
                ABC,
                Optional.empty(),
                name -> name.equals("b") ? List.of() : List.of(new CellPlan(name, SHARE, 63.5)));

        assertThat(slots)
                .extracting(Slot::id)
                .containsExactly(
                        "warm-up a unary calls=10 rate=50%",
                        "warm-up c unary calls=10 rate=50%",
                        "1 a unary calls=10 rate=50%",
                        "1 c unary calls=10 rate=50%");
    }

    @Test
    void tellsTheGeneratorAllThatTheContractAsksFor() {
        Preset preset = PresetTests.preset("measure", "5s");
        Target target = new Target(new Target.Process("aggregator-service", 1, 8080), List.of(), List.of());
        WarmUpBounds warmUp = preset.timing().warmUp();
        List<Slot> slots = List.of(
                new Slot(0, 0, closed("a", 1, 10), WarmUpBounds.fixed(6), 0.1, 6, true),
                new Slot(1, 0, new CellPlan("a", SHARE, 63.0), warmUp, 5, 2, false));

        Map<String, Object> plan = Generator.plan(slots, preset, target, Path.of("/answers"));

        assertThat(plan)
                .containsEntry("baseUrl", "http://127.0.0.1:8080")
                .containsEntry("answers", "/answers")
                .containsEntry("measureSeconds", 5.0)
                .containsEntry("warmUp", warmUp.rule())
                .containsEntry(
                        "steps",
                        List.of(
                                Map.of(
                                        "id",
                                        "warm-up a unary calls=1 users=10",
                                        "row",
                                        "a",
                                        "workload",
                                        "unary calls=1 users=10",
                                        "measureSeconds",
                                        0.1,
                                        "warmUp",
                                        WarmUpBounds.fixed(6).rule()),
                                Map.of(
                                        "id",
                                        "1 a unary calls=10 rate=50%",
                                        "row",
                                        "a",
                                        "workload",
                                        "unary calls=10 rate=63")));
    }

    @Test
    void tellsTheGeneratorNothingOfADistance() {
        assertThat(CellPlan.of("a", Workload.parse("calls=7 users=3 distance=5ms"))
                        .offered())
                .isEqualTo(Workload.parse("calls=7 users=3"));
        assertThat(new CellPlan("a", Workload.parse("calls=7 rate=50% distance=5ms"), 63.0).offered())
                .isEqualTo(Workload.parse("calls=7 rate=63"));
    }

    private static CellPlan closed(String row, int calls, int users) {
        return CellPlan.of(row, Workload.unary(calls, new Load.Users(users)));
    }
}

package dev.chatterbox.comparison;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ScheduleTests {

    private static final List<String> ABC = List.of("a", "b", "c");
    private static final Preset PRESET = PresetTests.preset("measure", "5s");

    @Test
    void rotatesTheTransportsFromRoundToRound() {
        List<Slot> slots = Schedule.of(PRESET.withRounds(3), ABC, name -> List.of(Cell.closed(name, 1, 10)));

        assertThat(slots)
                .extracting(slot -> slot.cell().transport())
                .containsExactly("a", "b", "c", "a", "b", "c", "b", "c", "a", "c", "a", "b");
        assertThat(slots).extracting(Slot::round).containsExactly(0, 0, 0, 1, 1, 1, 2, 2, 2, 3, 3, 3);
    }

    @Test
    void runsAWorkloadOverAllTransportsBeforeTheNext() {
        List<Slot> slots = Schedule.of(
                PRESET.withRounds(1), ABC, name -> List.of(Cell.closed(name, 1, 10), Cell.closed(name, 100, 10)));

        assertThat(slots)
                .filteredOn(slot -> !slot.isFirstWarmUp())
                .extracting(Slot::id)
                .containsExactly("1-a-1-10", "1-b-1-10", "1-c-1-10", "1-a-100-10", "1-b-100-10", "1-c-100-10");
    }

    @Test
    void warmsUpEveryCellOfEveryTransportBeforeTheFirstRound() {
        Preset preset = PresetTests.preset("first-warm-up", "2s..12s").withRounds(1);
        List<Slot> slots =
                Schedule.of(preset, ABC, name -> List.of(Cell.closed(name, 1, 10), Cell.closed(name, 100, 10)));

        assertThat(slots).hasSize(12);
        assertThat(slots.subList(0, 6)).allSatisfy(slot -> {
            assertThat(slot.isFirstWarmUp()).isTrue();
            assertThat(slot.id()).startsWith("warm-up-");
            assertThat(slot.warmUp()).as("beyond what ends it").isEqualTo(WarmUp.of(16, 16));
            assertThat(slot.seconds()).isEqualTo(0.1);
            assertThat(slot.likelySeconds()).as("(2 × 2 s + 12 s) ÷ 2, by 2").isEqualTo(4);
        });
        assertThat(slots.subList(6, 12)).allSatisfy(slot -> {
            assertThat(slot.isFirstWarmUp()).isFalse();
            assertThat(slot.warmUp()).isEqualTo(preset.warmUp());
            assertThat(slot.seconds()).isEqualTo(preset.secondsOf(slot.cell().calls()));
        });
    }

    @Test
    void goesOnWithoutATransportThatHasNoCapacity() {
        List<Slot> slots = Schedule.of(
                PRESET.withRounds(1),
                ABC,
                name -> name.equals("b") ? List.of() : List.of(Cell.open(name, 10, 63.5, 0.5)));

        assertThat(slots)
                .extracting(Slot::id)
                .containsExactly(
                        "warm-up-a-10-open-63.5", "warm-up-c-10-open-63.5", "1-a-10-open-63.5", "1-c-10-open-63.5");
    }

    @Test
    void tellsTheGeneratorAllThatTheContractAsksFor() {
        Preset preset = PresetTests.preset("measure", "5s").withCalls(List.of(1));
        Target target = new Target(new Target.Process("aggregator-service", 1, 8080), List.of(), List.of());
        List<Slot> slots = List.of(
                new Slot(0, Cell.closed("a", 1, 10), WarmUp.of(6, 6), 0.1, 6),
                new Slot(1, Cell.open("a", 1, 63, 0.7), preset.warmUp(), 5, 2));

        Map<String, Object> plan = Generator.plan(slots, preset, target, Path.of("/answers"));

        assertThat(plan)
                .containsEntry("baseUrl", "http://127.0.0.1:8080")
                .containsEntry("answers", "/answers")
                .containsEntry("measureSeconds", 5.0)
                .containsEntry("warmUp", preset.warmUp())
                .containsEntry(
                        "cells",
                        List.of(
                                Map.of(
                                        "id",
                                        "warm-up-a-1-10",
                                        "round",
                                        0,
                                        "transport",
                                        "a",
                                        "calls",
                                        1,
                                        "users",
                                        10,
                                        "measureSeconds",
                                        0.1,
                                        "warmUp",
                                        WarmUp.of(6, 6)),
                                Map.of(
                                        "id",
                                        "1-a-1-open-63.0",
                                        "round",
                                        1,
                                        "transport",
                                        "a",
                                        "calls",
                                        1,
                                        "rate",
                                        63.0)));
    }
}

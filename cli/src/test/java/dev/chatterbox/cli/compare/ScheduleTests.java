package dev.chatterbox.cli.compare;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ScheduleTests {

    private static final List<String> ABC = List.of("a", "b", "c");

    @Test
    void rotatesTheTransportsFromRoundToRound() {
        List<Slot> slots = Schedule.of(3, ABC, name -> List.of(Cell.closed(name, 1, 10)));

        assertThat(slots)
                .extracting(slot -> slot.cell().transport())
                .containsExactly("a", "b", "c", "b", "c", "a", "c", "a", "b");
        assertThat(slots).extracting(Slot::round).containsExactly(1, 1, 1, 2, 2, 2, 3, 3, 3);
    }

    @Test
    void runsAWorkloadOverAllTransportsBeforeTheNext() {
        List<Slot> slots = Schedule.of(1, ABC, name -> List.of(Cell.closed(name, 1, 10), Cell.closed(name, 100, 10)));

        assertThat(slots)
                .extracting(Slot::id)
                .containsExactly("1-a-1-10", "1-b-1-10", "1-c-1-10", "1-a-100-10", "1-b-100-10", "1-c-100-10");
    }

    @Test
    void warmsUpTheFirstCellOfEachTransportForLonger() {
        List<Slot> slots = Schedule.of(2, ABC, name -> List.of(Cell.closed(name, 1, 10)));

        assertThat(slots).extracting(Slot::first).containsExactly(true, true, true, false, false, false);
    }

    @Test
    void goesOnWithoutATransportThatHasNoCapacity() {
        List<Slot> slots =
                Schedule.of(1, ABC, name -> name.equals("b") ? List.of() : List.of(Cell.open(name, 10, 63.5, 0.5)));

        assertThat(slots).extracting(Slot::id).containsExactly("1-a-10-open-63.5", "1-c-10-open-63.5");
    }

    @Test
    void tellsTheGeneratorAllThatTheContractAsksFor() {
        Preset preset = PresetTests.preset("measure", "5s").withCalls(List.of(1));
        Target target = new Target(new Target.Process("aggregator-service", 1, 8080), List.of(), List.of());
        List<Slot> slots =
                List.of(new Slot(1, Cell.closed("a", 1, 10), true), new Slot(1, Cell.open("a", 1, 63, 0.7), false));

        Map<String, Object> plan = Generator.plan(slots, preset, target);

        assertThat(plan)
                .containsEntry("baseUrl", "http://127.0.0.1:8080")
                .containsEntry("measureSeconds", 5.0)
                .containsEntry("warmUp", preset.warmUp())
                .containsEntry(
                        "cells",
                        List.of(
                                Map.of(
                                        "id",
                                        "1-a-1-10",
                                        "round",
                                        1,
                                        "transport",
                                        "a",
                                        "calls",
                                        1,
                                        "users",
                                        10,
                                        "warmUp",
                                        preset.firstWarmUp()),
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

package dev.chatterbox.report.tables;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.chatterbox.results.Caveat;
import dev.chatterbox.results.Estimate;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.Test;

class TableTextTests {

    private record Line(String variant, double cost, String text) {}

    private static Table table(String text) {
        return Table.<Line>of("Costs")
                .variant(Line::variant)
                .caveats(line -> List.of())
                .number("CPU", Line::cost, cost -> String.format(Locale.ROOT, "%.3g µs", cost))
                .number("nothing", line -> Double.NaN, String::valueOf)
                .text("text", Line::text)
                .numbers("spare", line -> "12345678")
                .spare(1)
                .table(
                        List.of(new Line("nats", 5.8312, text), new Line("rest|x", 91.2, "a,b")),
                        line -> line.variant().equals("nats"),
                        List.of("A note."));
    }

    @Test
    void rendersOneDescriptionToTerminalMarkdownAndCsv() {
        Emphasis marked = new Emphasis() {
            @Override
            public String bold(String text) {
                return "*" + text;
            }

            @Override
            public String red(String text) {
                return "!" + text;
            }
        };
        assertThat(TableText.terminal(table("a"), marked))
                .containsExactly(
                        "Costs:",
                        "*variant     CPU  text     spare",
                        "!nats     5.83µs  a     12345678",
                        "rest|x   91.2µs  a,b   12345678",
                        "  ! A note.");
        assertThat(TableText.markdown(table("a")))
                .isEqualTo("### Costs\n\n| variant | CPU | text | spare |\n| --- | --: | --- | --: |\n"
                        + "| nats | 5.83 µs | a | 12345678 |\n| rest\\|x | 91.2 µs | a,b | 12345678 |\n\nA note.\n");
        assertThat(TableText.csv(List.of(table("a")), List.of()))
                .isEqualTo("table,variant,CPU,text,spare,caveats\nCosts,nats,5.8312,a,12345678,\n"
                        + "Costs,rest|x,91.2,\"a,b\",12345678,\n");
    }

    @Test
    void refusesANumberWithoutItsCaveats() {
        Table.Description<Line> table = Table.<Line>of("Costs").variant(Line::variant);

        assertThatThrownBy(() -> table.number("CPU", Line::cost, String::valueOf))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("'CPU'");
        assertThatThrownBy(() -> table.numbers("CPU", Line::text)).isInstanceOf(IllegalStateException.class);
    }

    private record Measured(String variant, Estimate cost, Estimate ratio) {}

    private static Table doubted() {
        Caveat cold = new Caveat("kafka", "its compilers took 12 % of its CPU time");
        Caveat colder = new Caveat("rest", "its compilers took 5 % of its CPU time");
        Caveat busy = new Caveat("rest", "the generator is the limit");
        return Table.<Measured>of("Costs")
                .variant(Measured::variant)
                .estimate("CPU", Measured::cost, cost -> String.format(Locale.ROOT, "%.1f s", cost))
                .figure("ratio", Measured::ratio, ratio -> String.format(Locale.ROOT, "%.1f", ratio))
                .table(List.of(
                        new Measured("nats", new Estimate(1, 0.5, 2, List.of()), Estimate.of(1, List.of(cold))),
                        new Measured(
                                "rest",
                                new Estimate(8, 7, 9.25, List.of(busy, colder)),
                                Estimate.of(Double.NaN, List.of(cold)))));
    }

    @Test
    void marksAFigureWithACaveatAndExplainsTheMark() {
        assertThat(TableText.terminal(doubted(), Emphasis.NONE))
                .containsExactly(
                        "Costs:",
                        "variant     CPU       99 %  ratio",
                        "nats       1.0s  0.5s–2.0s   1.0ᵃ",
                        "rest     8.0sᵃᵇ  7.0s–9.3s",
                        "  ᵃ kafka, rest: its compilers took 5–12 % of its CPU time.",
                        "  ᵇ rest: the generator is the limit.");
        assertThat(TableText.markdown(doubted()))
                .contains(
                        "| rest | 8.0 sᵃᵇ | 7.0 s–9.3 s |  |",
                        "\n\nᵃ kafka, rest: its compilers took 5–12 % of its CPU time.\n\nᵇ rest: the");
    }

    @Test
    void csvHasACaveatInFullAndTheEndsOfAnInterval() {
        assertThat(TableText.csv(List.of(doubted(), table("a")), List.of()).lines())
                .containsExactly(
                        "table,variant,CPU,CPU from,CPU to,ratio,text,spare,caveats",
                        "Costs,nats,1,0.5,2,1,,,kafka: its compilers took 12 % of its CPU time",
                        "Costs,rest,8,7,9.25,,,,rest: the generator is the limit; rest: its compilers took 5 % of its CPU time",
                        "Costs,nats,5.8312,,,,a,12345678,",
                        "Costs,rest|x,91.2,,,,\"a,b\",12345678,");
    }

    @Test
    void leavesOutWhatATerminalHasNoRoomFor() {
        assertThat(TableText.terminal(table("x".repeat(78)), Emphasis.NONE))
                .noneMatch(line -> line.contains("spare"))
                .anyMatch(line -> line.contains("x".repeat(78)));
        assertThat(TableText.terminal(table("x".repeat(300)), Emphasis.NONE))
                .allSatisfy(line -> assertThat(line.length()).isLessThanOrEqualTo(100))
                .anyMatch(line -> line.endsWith("x…"));
    }

    @Test
    void cutsNoColumnToNothingWhereNumbersTakeAllTheRoom() {
        Table.Description<String> wide = Table.of("");
        wide.text("variant", text -> text);
        for (int i = 0; i < 40; i++) {
            wide.text("a column " + i, text -> text);
        }

        assertThat(TableText.terminal(wide.table(List.of("some text")), Emphasis.NONE))
                .hasSize(2)
                .allMatch(line -> line.startsWith("…"));
    }

    @Test
    void breaksNoTableWithWhatItSays() {
        Table evil = Table.<String>of("").text("a", text -> text).table(List.of("a\n|<b>*c*"));

        assertThat(TableText.markdown(evil)).endsWith("| a \\|&lt;b>\\*c\\* |\n");
    }
}

package dev.chatterbox.report.tables;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.Test;

class TableTextTests {

    private record Line(String row, double cost, String text) {}

    private static Table table(String text) {
        return Table.<Line>of("Costs")
                .row(Line::row)
                .number("CPU", Line::cost, cost -> String.format(Locale.ROOT, "%.3g µs", cost))
                .number("nothing", line -> Double.NaN, String::valueOf)
                .text("text", Line::text)
                .numbers("spare", line -> "12345678")
                .spare(1)
                .table(
                        List.of(new Line("nats", 5.8312, text), new Line("rest|x", 91.2, "a,b")),
                        line -> line.row().equals("nats"),
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
                        "*row        CPU  text     spare",
                        "!nats    5.83µs  a     12345678",
                        "rest|x  91.2µs  a,b   12345678",
                        "  ! A note.");
        assertThat(TableText.markdown(table("a")))
                .isEqualTo("### Costs\n\n| row | CPU | text | spare |\n| --- | --: | --- | --: |\n"
                        + "| nats | 5.83 µs | a | 12345678 |\n| rest\\|x | 91.2 µs | a,b | 12345678 |\n\nA note.\n");
        assertThat(TableText.csv(table("a")))
                .isEqualTo("row,CPU,text,spare\nnats,5.8312,a,12345678\nrest|x,91.2,\"a,b\",12345678\n");
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
    void breaksNoTableWithWhatItSays() {
        Table evil = Table.<String>of("").text("a", text -> text).table(List.of("a\n|<b>*c*"));

        assertThat(TableText.markdown(evil)).endsWith("| a \\|&lt;b>\\*c\\* |\n");
    }
}

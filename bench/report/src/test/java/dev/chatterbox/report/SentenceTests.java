package dev.chatterbox.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;

class SentenceTests {

    @Test
    void knowsWhichWordsAreRows() {
        Sentence sentence = Sentence.of("over {} and {}", Sentence.row("able"), "baker");

        assertThat(sentence).hasToString("over able and baker");
        assertThat(sentence.parts())
                .contains(new Sentence.RowName("able"))
                .doesNotContain(new Sentence.RowName("baker"));
    }

    @Test
    void takesTextAsItIs() {
        assertThat(Sentence.text("{} $1 %s \\")).hasToString("{} $1 %s \\");
        assertThat(Sentence.of("{}!", "{}")).hasToString("{}!");
    }

    @Test
    void refusesAPatternThatDoesNotFitItsValues() {
        assertThatThrownBy(() -> Sentence.of("{}")).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> Sentence.of("", "a")).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void beginsWithACapitalUnlessWithARow() {
        assertThat(Sentence.of("at {}", Sentence.row("able")).capital()).hasToString("At able");
        assertThat(Sentence.of("{} leads", Sentence.row("able")).capital()).hasToString("able leads");
        assertThat(Sentence.capital("p99 of calls")).isEqualTo("p99 of calls");
    }

    @Test
    void lists() {
        assertThat(Sentence.words(List.of())).isEmpty();
        assertThat(Sentence.words(List.of("a"))).isEqualTo("a");
        assertThat(Sentence.rows(List.of("a", "b", "c"))).hasToString("a, b and c");
    }

    @Test
    void keepsNumbersAndUnitsTogetherOnAPage() {
        assertThat(Sentence.unbroken("15.0 µs of 2 processes, 40 %, 3.1 k/s, 100 users"))
                .isEqualTo("15.0\u00a0µs of 2 processes, 40\u00a0%, 3.1\u00a0k/s, 100\u00a0users");
    }
}

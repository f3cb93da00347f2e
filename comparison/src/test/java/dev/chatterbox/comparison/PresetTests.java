package dev.chatterbox.comparison;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.chatterbox.cli.CliException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Properties;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class PresetTests {

    private static final Path OURS = Path.of("presets");

    @TempDir
    Path folder;

    /** The quick one of this checkout, with one line changed. */
    static Preset preset(String key, String value) {
        try {
            Path folder = Files.createTempDirectory("presets");
            try {
                return read(folder, key, value);
            } finally {
                Files.delete(folder.resolve("changed.properties"));
                Files.delete(folder);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Preset read(Path folder, String key, String value) throws IOException {
        Properties properties = new Properties();
        try (var in = Files.newInputStream(OURS.resolve("quick.properties"))) {
            properties.load(in);
        }
        properties.setProperty(key, value);
        try (var out = Files.newOutputStream(folder.resolve("changed.properties"))) {
            properties.store(out, null);
        }
        return Preset.read(folder, "changed");
    }

    @ParameterizedTest
    @ValueSource(strings = {"quick", "classic", "full", "smoke"})
    void readsThoseOfThisCheckout(String name) {
        Preset preset = Preset.read(OURS, name);

        preset.require(10_000, 1000);
        assertThat(Preset.names(OURS)).contains(name);
        assertThat(preset.warmUp().windowSeconds() * preset.warmUp().windows())
                .as("three windows fit")
                .isLessThanOrEqualTo(preset.warmUp().maxSeconds());
    }

    @Test
    void quickTakesAtMostFiveMinutesWithTheStart() {
        assertThat(Comparison.seconds(Preset.read(OURS, "quick"), 3)).isBetween(120.0, 275.0);
    }

    @Test
    void hasTheOpenModelInFull() {
        assertThat(Preset.read(OURS, "full").loads()).containsExactly(0.5, 0.7, 0.9);
    }

    @ParameterizedTest
    @CsvSource({
        "calls, ten, ten",
        "calls, '', calls is missing",
        "measure, '', measure is missing",
        "measure, fast, fast",
        "warm-up, 5s, 5s",
        "typo, 1, 'typo'",
        "rounds, x, x",
        "first-warm-up, 5s, 5s"
    })
    void saysWhatIsWrongInAFile(String key, String value, String message) {
        assertThatThrownBy(() -> read(folder, key, value))
                .isInstanceOf(CliException.class)
                .hasMessageContaining("changed.properties")
                .hasMessageContaining(message);
    }

    @ParameterizedTest
    @CsvSource({"warm-up, 10s..5s", "first-warm-up, 1s..61m", "raw, 0s", "raw-rounds, -1"})
    void refusesBoundsThatCannotBeKept(String key, String value) {
        assertThatThrownBy(() -> read(folder, key, value).require(10_000, 1000)).isInstanceOf(CliException.class);
    }

    @ParameterizedTest
    @CsvSource({"5s, 5", "2m, 120", "0.5s, 0.5", "7, 7"})
    void readsDurations(String text, double seconds) {
        assertThat(Preset.seconds(text)).isEqualTo(seconds);
    }

    @Test
    void hasWindowsOfItsOwnForSomeNumbersOfCalls() throws IOException {
        Preset preset = read(folder, "measure.1000", "9s");
        assertThat(preset.secondsOf(1000)).isEqualTo(9);
        assertThat(preset.secondsOf(100)).isEqualTo(preset.secondsOf(10));
        assertThat(preset.withSeconds(2).secondsOf(1000)).isEqualTo(2);
    }

    @Test
    void measuresTheOpenModelAloneWhereRatesAreGiven() {
        Preset preset = Preset.read(OURS, "full").withRates(List.of(50.0));

        assertThat(preset.users()).isEmpty();
        assertThat(preset.loads()).isEmpty();
        preset.require(10_000, 1000);
    }
}

package dev.chatterbox.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.chatterbox.comparison.Preset;
import dev.chatterbox.report.claims.Claim;
import dev.chatterbox.variants.Variant;
import dev.chatterbox.variants.Variants;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Our claims, held against the presets that run them and against our variants. */
class ClaimFilesTests {

    private static final Path ROOT = Path.of("../..");
    private static final List<Claim> CLAIMS = Claim.read(ROOT.resolve("bench/workloads/claims"));

    @Test
    void hasEveryClaim() {
        assertThat(CLAIMS)
                .extracting(Claim::id)
                .contains("0.1", "0.3-3", "0.12", "1.11", "2.8", "3.4", "4.12")
                .filteredOn(id -> !id.contains("-"))
                .hasSize(46);
    }

    @Test
    void runsWhatItsPresetMeasures() {
        Variants variants = Variants.read(ROOT.resolve("variants"));
        assertThat(CLAIMS)
                .allSatisfy(claim -> claim.trial().ifPresent(trial -> {
                    Preset preset = Preset.read(ROOT.resolve("bench/workloads/presets"), trial.run());
                    assertThat(variants.choose(preset.variants()).stream().map(Variant::name))
                            .containsAll(trial.variants());
                    assertThat(preset.workloads())
                            .containsAll(trial.cases().stream()
                                    .flatMap(one -> Stream.of(one.workload(), one.against()))
                                    .toList());
                }));
    }
}

package dev.chatterbox.report.claims;

import static dev.chatterbox.report.claims.Verdict.CONTRADICTED;
import static dev.chatterbox.report.claims.Verdict.DIRECTION_ONLY;
import static dev.chatterbox.report.claims.Verdict.NOT_RESOLVED;
import static dev.chatterbox.report.claims.Verdict.REPRODUCED;
import static org.assertj.core.api.Assertions.assertThat;

import dev.chatterbox.results.Estimate;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class VerdictTests {

    private static Estimate ratio(double value, double from, double to) {
        return new Estimate(value, from, to, List.of());
    }

    @ParameterizedTest
    @ValueSource(doubles = {1.06, 1.2, 1.5, 1.57, 2, 4.5, 14.7, 92.12})
    void aRatioOfOneReproducesNothing(double published) {
        assertThat(Verdict.of(published, ratio(1, 0.95, 1.05)))
                .isEqualTo(published < 1.5 ? NOT_RESOLVED : CONTRADICTED);
    }

    @ParameterizedTest
    @ValueSource(doubles = {1, 1.02, 1.2, 1.57, 4.5, 14.7})
    void anIntervalThatHoldsEverythingShowsTheDirectionAtMost(double published) {
        assertThat(Verdict.of(published, ratio(6, 1.01, 40))).isEqualTo(DIRECTION_ONLY);
        assertThat(Verdict.of(published, ratio(1.4, 0.9, 40))).isEqualTo(NOT_RESOLVED);
    }

    @ParameterizedTest
    @ValueSource(doubles = {1.2, 1.57, 4.5, 14.7, 92.12})
    void thePublishedRatioIsReproducedAndItsInverseContradicted(double published) {
        Estimate ours = ratio(published, published / 1.1, published * 1.1);
        assertThat(Verdict.of(published, ours)).isEqualTo(REPRODUCED);
        assertThat(Verdict.of(published, ratio(1 / published, 1 / (published * 1.1), 1.1 / published)))
                .isEqualTo(CONTRADICTED);
    }

    @Test
    void aPublishedRatioNearOneIsReproducedByANarrowIntervalAroundOne() {
        assertThat(Verdict.of(1.023, ratio(1, 0.91, 1.09))).isEqualTo(REPRODUCED);
        assertThat(Verdict.of(1.023, ratio(1, 0.8, 1.2))).isEqualTo(NOT_RESOLVED);
        assertThat(Verdict.of(1.023, ratio(2, 1.9, 2.1))).isEqualTo(DIRECTION_ONLY);
    }

    @Test
    void anotherFigureShowsTheDirectionOnly() {
        // The figure itself is more than a factor of 1.5 away.
        assertThat(Verdict.of(10, ratio(6, 5.5, 6.5))).isEqualTo(DIRECTION_ONLY);
        // One end of the interval is more than a factor of 2 away.
        assertThat(Verdict.of(10, ratio(8, 4.9, 12))).isEqualTo(DIRECTION_ONLY);
        assertThat(Verdict.of(10, ratio(14, 9, 21))).isEqualTo(DIRECTION_ONLY);
    }

    @Test
    void aClaimWithoutAFigureCanOnlyHaveADirection() {
        assertThat(Verdict.of(Claim.SIGN_ONLY, ratio(1.05, 1.01, 1.09))).isEqualTo(DIRECTION_ONLY);
        assertThat(Verdict.of(Claim.SIGN_ONLY, ratio(1, 0.95, 1.05))).isEqualTo(NOT_RESOLVED);
        assertThat(Verdict.of(Claim.SIGN_ONLY, ratio(0.8, 0.7, 0.9))).isEqualTo(CONTRADICTED);
    }

    @Test
    void aFigureWithoutAnIntervalIsNotResolved() {
        assertThat(Verdict.of(2, Estimate.of(2, List.of()))).isEqualTo(NOT_RESOLVED);
    }
}

package dev.chatterbox.responder;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class FaultsTests {

    @Test
    void areOffUnlessSomethingIsSet() {
        assertThat(new Faults(Duration.ZERO, 0, 0)).isEqualTo(Faults.NONE);
        assertThat(new Faults(Duration.ZERO, 0, 0.01)).isNotEqualTo(Faults.NONE);
    }

    @Test
    void namePropertyAndRangeWhereAValueIsOut() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new Faults(Duration.ZERO, 1.5, 0))
                .withMessage("chatterbox.faults.drop must be 0 to 1, but it is 1.5");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new Faults(Duration.ZERO, 0, Double.NaN))
                .withMessageContaining("chatterbox.faults.wrong");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new Faults(Duration.ofMillis(-1), 0, 0))
                .withMessageContaining("chatterbox.faults.delay must be 0s to 1h");
    }
}

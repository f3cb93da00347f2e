package dev.chatterbox.aggregator.web;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.springframework.http.HttpStatus;

class ProblemsTests {

    /** A flood of bad requests must not cost a walk of the stack each. */
    @Test
    void haveNoStackTrace() {
        assertThat(Problems.problem(HttpStatus.BAD_REQUEST, "n must be a number")
                        .getStackTrace())
                .isEmpty();
    }
}

package dev.chatterbox.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Holds docs/openapi.yaml against the running system, by requests that schemathesis makes of it. */
@Tag("long")
class OpenApiIT {

    private static final int CANNOT_RUN_HERE = 3;

    @Test
    void everyAnswerIsAsTheDescriptionSays() throws IOException, InterruptedException {
        String script = Commands.builtCheckout()
                .root()
                .resolve(".ci")
                .resolve("openapi")
                .toString();
        Process checks = new ProcessBuilder(script, "http://localhost:" + (8080 + RealStack.offset()))
                .redirectErrorStream(true)
                .start();
        String output = new String(checks.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        int exitCode = checks.waitFor();

        assumeTrue(exitCode != CANNOT_RUN_HERE, output);
        assertThat(exitCode).as(output).isZero();
    }
}

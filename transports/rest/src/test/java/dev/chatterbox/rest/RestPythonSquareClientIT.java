package dev.chatterbox.rest;

import dev.chatterbox.client.SharedBrokers;
import dev.chatterbox.client.TestVariants;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;

@Tag("long")
class RestPythonSquareClientIT extends RestSquareClientIT {

    private static final String VARIANT = "rest-python";

    @BeforeAll
    static void needsPython() {
        Assumptions.assumeTrue(SharedBrokers.canHave(TestVariants.find(VARIANT)), "Python is not here");
    }

    @Override
    protected String variant() {
        return VARIANT;
    }
}

package dev.chatterbox.results;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonValue;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;

/**
 * Where and with what a comparison was made, in sections that docs/results/format.md describes. Its figures can be
 * compared with those of another one if this is the same. Reports show every value of it; programs need only a few.
 */
public record Environment(@JsonValue JsonNode tree) {

    /** An environment of which nothing is known. */
    public static final Environment NONE = new Environment(JsonNodeFactory.instance.objectNode());

    @JsonCreator(mode = JsonCreator.Mode.DELEGATING)
    public Environment {}

    /**
     * A value as text.
     *
     * @param pointer such as {@code /machine/cpu}
     * @return empty if it is not known
     */
    public Optional<String> text(String pointer) {
        return Optional.of(tree.at(pointer).asString("")).filter(text -> !text.isEmpty());
    }

    /** Whether files of the checkout were changed after its commit; null if it is not known. */
    public @Nullable Boolean dirty() {
        return text("/git/dirty").map(Boolean::valueOf).orElse(null);
    }

    /** What {@code GET /transports} returned, by variant. */
    public JsonNode variants() {
        return tree.path("settings").path("variants");
    }
}

package dev.chatterbox.control;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.chatterbox.stack.FakeRepository;
import dev.chatterbox.stack.UsageException;
import dev.chatterbox.variants.VariantException;
import dev.chatterbox.variants.Variants;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.json.JsonMapper;

/** Requests for the variants one, script, two and two-more. */
class LoadRequestTests {

    @TempDir
    private Path root;

    private Variants variants;

    @BeforeEach
    void makeVariants() throws IOException {
        variants = FakeRepository.create(root).variants();
    }

    /**
     * Without this, a name that means several variants would pass the limit on the time of all variants as one variant.
     */
    @Test
    void aNameThatMeansSeveralVariantsTakesTheTimeOfEach() {
        assertThat(request("[\"all\"]", 150).command()).contains("--transports=one,script,two,two-more", "--time=600s");
        assertThatThrownBy(() -> request("[\"all\"]", 151))
                .isInstanceOf(UsageException.class)
                .hasMessageContaining("600 in all");
        assertThat(request("[\"one\",\"one\"]", 600).variants()).containsExactly("one");
    }

    @Test
    void refusesWhatIsNoVariant() {
        assertThatThrownBy(() -> request("[]", 1))
                .isInstanceOf(UsageException.class)
                .hasMessage("Choose a variant.");
        assertThatThrownBy(() -> request("[\"--out=x\"]", 1))
                .isInstanceOf(VariantException.class)
                .hasMessageContaining("There is no transport '--out=x'");
    }

    private LoadRequest request(String names, int seconds) {
        return LoadRequest.of(
                JsonMapper.shared()
                        .readTree("{\"variants\":%s,\"calls\":5,\"users\":5,\"seconds\":%d}".formatted(names, seconds)),
                variants);
    }
}

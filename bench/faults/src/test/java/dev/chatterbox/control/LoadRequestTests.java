package dev.chatterbox.control;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.chatterbox.rows.RowException;
import dev.chatterbox.rows.Rows;
import dev.chatterbox.stack.FakeRepository;
import dev.chatterbox.stack.UsageException;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.json.JsonMapper;

/** Requests for the rows one, script, two and two-more. */
class LoadRequestTests {

    @TempDir
    private Path root;

    private Rows rows;

    @BeforeEach
    void makeRows() throws IOException {
        rows = FakeRepository.create(root).rows();
    }

    /** Without this, a name that means several rows would pass the limit on the time of all rows as one row. */
    @Test
    void aNameThatMeansSeveralRowsTakesTheTimeOfEach() {
        assertThat(request("[\"all\"]", 150).command()).contains("--transports=one,script,two,two-more", "--time=600s");
        assertThatThrownBy(() -> request("[\"all\"]", 151))
                .isInstanceOf(UsageException.class)
                .hasMessageContaining("600 in all");
        assertThat(request("[\"one\",\"one\"]", 600).rows()).containsExactly("one");
    }

    @Test
    void refusesWhatIsNoRow() {
        assertThatThrownBy(() -> request("[]", 1))
                .isInstanceOf(UsageException.class)
                .hasMessage("Choose a row.");
        assertThatThrownBy(() -> request("[\"--out=x\"]", 1))
                .isInstanceOf(RowException.class)
                .hasMessageContaining("There is no transport '--out=x'");
    }

    private LoadRequest request(String names, int seconds) {
        return LoadRequest.of(
                JsonMapper.shared()
                        .readTree("{\"rows\":%s,\"calls\":5,\"users\":5,\"seconds\":%d}".formatted(names, seconds)),
                rows);
    }
}

package dev.chatterbox.load;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.chatterbox.workloads.Load;
import dev.chatterbox.workloads.Workload;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class LoadPlanTests {

    private static final String WARM_UP =
            "{\"windowSeconds\":1.0,\"tolerance\":0.05,\"windows\":3,\"minSeconds\":2,\"maxSeconds\":8}";

    @TempDir
    Path folder;

    @Test
    void readsClosedAndOpenSteps() throws IOException {
        LoadPlan plan = read("""
                {"baseUrl":"http://127.0.0.1:8080","warmUp":%s,"measureSeconds":5,"steps":[
                 {"id":"1 nats unary calls=1000 users=100","row":"nats","workload":"unary calls=1000 users=100",
                  "warmUp":{"windowSeconds":0.5,"tolerance":0.1,"windows":4,"minSeconds":6,"maxSeconds":20}},
                 {"id":"1 kafka unary calls=1000 rate=70%%","row":"kafka","workload":"unary calls=1000 rate=63.5","measureSeconds":2.5}]}
                """.formatted(WARM_UP));

        Step nats = plan.steps().get(0);
        assertThat(nats)
                .isEqualTo(new Step(
                        "1 nats unary calls=1000 users=100",
                        "nats",
                        Workload.unary(1000, new Load.Users(100)),
                        new WarmUpRule(0.5, 0.1, 4, 6, 20),
                        null));
        assertThat(plan.warmUp(nats)).isEqualTo(nats.warmUp());
        assertThat(nats.path()).isEqualTo("/nats/square/unary/1000");
        Step kafka = plan.steps().get(1);
        assertThat(kafka.rate()).isEqualTo(63.5);
        assertThat(plan.warmUp(kafka)).isEqualTo(plan.warmUp());
        assertThat(plan.measureSeconds(kafka)).isEqualTo(2.5);
        assertThat(plan.measureSeconds(nats)).isEqualTo(5);
        assertThat(plan.timeoutSeconds()).isEqualTo(30);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '"',
            value = {
                "calls=1                     | a workload needs either users",
                "calls=1 users=1 rate=1      | a workload needs either users",
                "calls=1 usres=1             | 'usres=1' is not known",
                "calls=1 rate=70%            | step x: rate must be requests per second, not a share of the capacity",
                "calls=1 users=1 distance=1  | step x: the generator can offer no distance",
                "batch calls=1 users=1       | size must be a whole number",
                "calls=1000001 users=1       | step x: calls must be a whole number from 1 to 1000000",
                "calls=1 users=10001         | step x: users must be a whole number from 1 to 10000",
                "calls=1 rate=100001         | step x: rate must be above 0 and at most 100000",
            })
    void refusesAWorkloadThatItCannotOffer(String workload, String message) {
        assertRefused("{\"id\":\"x\",\"row\":\"nats\",\"workload\":\"%s\"}".formatted(workload), message);
    }

    @ParameterizedTest
    @CsvSource({
        "unary calls=1000 users=100, /nats/square/unary/1000",
        "unary calls=1000 users=100 payload=7, /nats/square/unary/1000?payload=7",
        "batch calls=1000 size=30 rate=7, /nats/square/batch/1000?size=30",
        "batch calls=1000 size=30 rate=7 payload=7, /nats/square/batch/1000?size=30&payload=7",
        "stream calls=1000 users=100, /nats/square/stream/1000"
    })
    void asksForTheExchangeAndThePayload(String workload, String path) {
        assertThat(new Step("x", "nats", Workload.parse(workload), null, null).path())
                .isEqualTo(path);
    }

    @Test
    void refusesAStepWithoutARowOrAWorkload() {
        assertRefused("{\"id\":\"x\",\"row\":\"nats\"}", "step x: workload is missing");
        assertRefused("{\"id\":\"x\",\"workload\":\"calls=1 users=1\"}", "step x: transport must be a name");
    }

    @Test
    void refusesWhatItDoesNotKnow() {
        assertRefused("{\"id\":\"x\",\"row\":\"nats\",\"workload\":\"calls=1 users=1\",\"usres\":1}", "usres");
    }

    @Test
    void refusesAFileThatIsNotThere() {
        assertThatExceptionOfType(SettingsException.class)
                .isThrownBy(() -> LoadPlan.read(folder.resolve("none.json")))
                .withMessageContaining("none.json cannot be read");
    }

    private void assertRefused(String step, String message) {
        assertThatExceptionOfType(SettingsException.class)
                .isThrownBy(() ->
                        read("{\"baseUrl\":\"http://127.0.0.1:8080\",\"warmUp\":%s,\"measureSeconds\":5,\"steps\":[%s]}"
                                .formatted(WARM_UP, step)))
                .withMessageContaining(message);
    }

    private LoadPlan read(String json) throws IOException {
        return LoadPlan.read(Files.writeString(folder.resolve("plan.json"), json));
    }
}

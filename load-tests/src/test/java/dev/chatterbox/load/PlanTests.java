package dev.chatterbox.load;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PlanTests {

    private static final String WARM_UP =
            "{\"windowSeconds\":1.0,\"tolerance\":0.05,\"windows\":3,\"minSeconds\":2,\"maxSeconds\":8}";

    @TempDir
    Path folder;

    @Test
    void readsClosedAndOpenCells() throws IOException {
        Plan plan = read("""
                {"baseUrl":"http://127.0.0.1:8080","warmUp":%s,"measureSeconds":5,"cells":[
                 {"id":"1-nats-1000-100","round":1,"transport":"nats","calls":1000,"users":100,
                  "warmUp":{"windowSeconds":0.5,"tolerance":0.1,"windows":4,"minSeconds":6,"maxSeconds":20}},
                 {"id":"1-kafka-1000-open-63","round":1,"transport":"kafka","calls":1000,"rate":63.0,"measureSeconds":2.5}]}
                """.formatted(WARM_UP));

        Cell nats = plan.cells().get(0);
        assertThat(nats)
                .isEqualTo(
                        new Cell("1-nats-1000-100", 1, "nats", 1000, 100, null, new WarmUp(0.5, 0.1, 4, 6, 20), null));
        assertThat(plan.warmUp(nats)).isEqualTo(nats.warmUp());
        assertThat(nats.path()).isEqualTo("/nats/square/unary/1000");
        Cell kafka = plan.cells().get(1);
        assertThat(kafka.rate()).isEqualTo(63.0);
        assertThat(plan.warmUp(kafka)).isEqualTo(plan.warmUp());
        assertThat(plan.measureSeconds(kafka)).isEqualTo(2.5);
        assertThat(plan.measureSeconds(nats)).isEqualTo(5);
        assertThat(plan.timeoutSeconds()).isEqualTo(30);
    }

    @Test
    void refusesACellWithoutOrWithTwoLoads() {
        assertRefused("{\"id\":\"x\",\"transport\":\"nats\",\"calls\":1}", "cell x: needs either users");
        assertRefused(
                "{\"id\":\"x\",\"transport\":\"nats\",\"calls\":1,\"users\":1,\"rate\":1}",
                "cell x: needs either users");
    }

    @Test
    void refusesWhatItDoesNotKnow() {
        assertRefused("{\"id\":\"x\",\"transport\":\"nats\",\"calls\":1,\"users\":1,\"usres\":1}", "usres");
    }

    @Test
    void refusesAFileThatIsNotThere() {
        assertThatExceptionOfType(SettingsException.class)
                .isThrownBy(() -> Plan.read(folder.resolve("none.json")))
                .withMessageContaining("none.json cannot be read");
    }

    private void assertRefused(String cell, String message) {
        assertThatExceptionOfType(SettingsException.class)
                .isThrownBy(() ->
                        read("{\"baseUrl\":\"http://127.0.0.1:8080\",\"warmUp\":%s,\"measureSeconds\":5,\"cells\":[%s]}"
                                .formatted(WARM_UP, cell)))
                .withMessageContaining(message);
    }

    private Plan read(String json) throws IOException {
        return Plan.read(Files.writeString(folder.resolve("plan.json"), json));
    }
}

package dev.chatterbox.comparison.remote;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.chatterbox.comparison.counts.ServiceCounts;
import dev.chatterbox.comparison.remote.Deployment.CpuReading;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class DeploymentTests {

    private FakeSystem system;

    @BeforeEach
    void start() throws IOException {
        system = new FakeSystem();
    }

    @AfterEach
    void stop() {
        system.close();
    }

    @Test
    void findsTheVariantsThatAreUpAndTheCountersOfTheirProcesses() {
        system.clocks.remove("process_cpu_time_ns_total{process=~\"square-service-nats");

        Deployment found = system.find();

        assertThat(found.target().variants())
                .extracting(variant -> variant.variant().name())
                .containsExactly("nats");
        assertThat(found.counters().get("aggregator-service").cpu())
                .isEqualTo("process_cpu_time_ns_total{process=~\"aggregator-service\",namespace=\"demo\"}");
        assertThat(found.counters().get("nats").cpu())
                .startsWith(FakeSystem.BROKER)
                .endsWith("namespace=\"demo\"}");
        assertThat(found.unknown()).containsExactly("square-service-nats");
        assertThat(system.asked).as("the token goes along").anyMatch(asked -> asked.startsWith("Bearer secret group"));
    }

    @Test
    void subtractsWhatServicesCountedWhileTheyWereIdle() throws IOException {
        Deployment deployment = system.find();
        ServiceCounts before = deployment.counts();

        system.count("ok", 40);
        system.count("timeout", 2);
        system.add("chatterbox_replies_unmatched_total", "\"transport\":\"nats\"", 1);
        system.add("chatterbox_faults", "\"process\":\"square-service-nats\",\"fault\":\"drop\"", 1);
        ServiceCounts counted = deployment.counts().since(before);

        assertThat(counted.outcomes().get("nats")).isEqualTo(Map.of("ok", 40.0, "timeout", 2.0));
        assertThat(counted.messages()).isEqualTo(Map.of("nats", 42.0));
        assertThat(counted.unmatched()).isEqualTo(Map.of("nats", 1.0));
        assertThat(counted.squares()).isEqualTo(Map.of("square-service-nats", 42.0));
        assertThat(counted.faults()).isEqualTo(Map.of("square-service-nats", "drop 1"));
    }

    @Test
    void subtractsCpuTimeInTheUnitOfItsCounter() {
        Deployment deployment = system.find();
        CpuReading broker = deployment.cpu("nats");
        CpuReading aggregator = deployment.cpu("aggregator-service");

        system.cpu.replaceAll((clock, used) -> used + 0.25);

        assertThat(deployment.cpu("nats", 7.9).nanosSince(broker)).hasValue(250_000_000);
        assertThat(deployment.cpu("aggregator-service").nanosSince(aggregator)).hasValue(0);
        String group = deployment.counters().get("nats").cpu();
        assertThat(system.asked)
                .anyMatch(asked ->
                        asked.contains("max by (instance, pod, mode) (last_over_time(%s[7s]))".formatted(group)));
    }

    /** The planted flaws: another replica, one that restarted, and a group with another number of processes. */
    @Test
    void knowsThatAProcessWasReplaced() {
        CpuReading before = reading(Map.of(REPLICA, 5.0, OTHER, 7.0, GROUP, 2.0));

        assertThat(reading(Map.of(REPLICA, 6.0, OTHER, 7.5, GROUP, 2.0)).nanosSince(before))
                .hasValue(1_500_000_000);
        for (CpuReading after : List.of(
                reading(Map.of(REPLICA, 6.0, GROUP, 2.0)),
                reading(Map.of(REPLICA, 6.0, OTHER, 0.5, GROUP, 2.0)),
                reading(Map.of(REPLICA, 6.0, OTHER, 7.5, GROUP, 3.0)),
                reading(Map.of()))) {
            assertThat(after.nanosSince(before)).as(after.toString()).isEmpty();
        }
        assertThat(reading(Map.of()).nanosSince(reading(Map.of()))).isEmpty();
    }

    /** Prometheus shows the counters of an ended container for some minutes. */
    @Test
    void waitsForNoReplicaThatHasEnded() {
        CpuReading last = reading(Map.of(REPLICA, 5.0));
        CpuReading before = reading(Map.of(REPLICA, 5.0, OTHER, 7.0));

        assertThat(last.covers(before)).isFalse();
        assertThat(last.covers(before.of(last))).isTrue();
        assertThat(last.covers(reading(Map.of()))).as("no replica at all").isFalse();
    }

    private static final Map<String, String> REPLICA = Map.of("instance", "a");
    private static final Map<String, String> OTHER = Map.of("instance", "b");
    private static final Map<String, String> GROUP = Map.of("instance", "a", "groupname", "nats");

    private static CpuReading reading(Map<Map<String, String>, Double> series) {
        return new CpuReading(series, 1e9);
    }

    @Test
    void knowsNoMemoryWithoutAGauge() {
        assertThat(system.find().memory("nats")).isEmpty();
        system.memory = 5_000_000L;
        assertThat(system.find().memory("nats")).hasValue(5_000_000);
    }

    @Test
    void saysWhatIsWrongWithATarget() {
        system.pages.put("/transports", "[]");
        assertRefused("is no Chatterbox: /transports has no variants");
        system.pages.put("/transports", "<html>");
        assertRefused("answers to /transports without JSON");
        system.pages.remove("/transports");
        assertRefused("answers 404 to /transports");
        system.pages.put("/transports", "[{\"name\":\"nats\",\"state\":\"down\",\"modes\":[]}]");
        assertRefused("No variant is up at");
        system.pages.put("/actuator/info", "{\"build\":{\"version\":\"0.9\"}}");
        assertRefused("runs Chatterbox 0.9, but its metrics must be those of 1.0.0");
    }

    @Test
    void saysWhichVariantsAreUpIfAnotherOneIsNamed() {
        assertThatThrownBy(() -> find(List.of("kafka"), false))
                .hasMessageContaining("The variant kafka is not up at")
                .hasMessageContaining("up are: [nats]");
        assertThat(find(List.of("kafka", "nats"), true).target().variants()).hasSize(1);
    }

    @Test
    void refusesAPrometheusThatIsAwayOrKnowsNoneOfItOrSeveralSystems() {
        system.clocks.put(FakeSystem.BROKER, List.of("{\"namespace\":\"a\"}", "{\"namespace\":\"b\"}"));
        assertRefused("has nats in several systems: [{namespace=a}, {namespace=b}]");
        system.clocks.clear();
        assertRefused("knows the CPU time of none of [aggregator-service, square-service-nats, nats]");
        system.counters.clear();
        assertRefused("has no chatterbox_inputs_total");
        system.takePrometheusAway();
        assertRefused("answers 404 to /api/v1/query");
    }

    @Test
    void refusesAddressesThatAreNone() {
        for (String wrong : List.of("localhost:8080", "ftp://host", "http://", "http://host/?a=b")) {
            assertThatThrownBy(() -> Remote.of(wrong, null))
                    .as(wrong)
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("is no address");
        }
        assertThatThrownBy(() -> Remote.of("http://user:secret@host", null)).hasMessageNotContaining("secret");
        assertThat(Remote.of("https://host:9/prometheus/", null).address()).hasPath("/prometheus");
    }

    private Deployment find(List<String> names, boolean onlyIfUp) {
        return Deployment.find(system.aggregator(), system.prometheus(), names, onlyIfUp, FakeSystem.VARIANTS, "1.0.0");
    }

    private void assertRefused(String message) {
        assertThatThrownBy(system::find)
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(message);
    }
}

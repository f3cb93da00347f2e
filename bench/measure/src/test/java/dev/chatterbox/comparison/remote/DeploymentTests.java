package dev.chatterbox.comparison.remote;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.chatterbox.comparison.counts.ServiceCounts;
import java.io.IOException;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class DeploymentTests {

    private static final String BROKER = "namedprocess_namegroup_cpu_seconds_total{groupname=~\"nats(-broker)?";

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
    void findsTheRowsThatAreUpAndTheCountersOfTheirProcesses() {
        system.clocks.remove("process_cpu_time_ns_total{process=~\"square-service-nats");

        Deployment found = system.find();

        assertThat(found.target().rows()).extracting(row -> row.row().name()).containsExactly("nats");
        assertThat(found.counters().get("aggregator-service").cpu())
                .isEqualTo("process_cpu_time_ns_total{process=~\"aggregator-service\",namespace=\"demo\"}");
        assertThat(found.counters().get("nats").cpu()).startsWith(BROKER).endsWith("namespace=\"demo\"}");
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
        assertThat(counted.faults()).isEqualTo(Map.of("square-service-nats", "drop 1.0"));
    }

    @Test
    void subtractsCpuTimeInTheUnitOfItsCounter() throws IOException {
        Deployment deployment = system.find();
        Set<String> reasons = new LinkedHashSet<>();
        system.values.put("sum(max by", 0.25);

        assertThat(deployment.cpuNanos("nats", 1000.5, reasons)).isEqualTo(250_000_000);
        assertThat(reasons).isEmpty();
        String group = deployment.counters().get("nats").cpu();
        assertThat(system.asked)
                .anyMatch(asked -> asked.endsWith(
                        "sum(max by (instance, pod, mode) ((%s - %s @ 1000.5)))".formatted(group, group)));
        system.values.put("sum(max by", 7e8);
        assertThat(deployment.cpuNanos("aggregator-service", 1000.5, reasons)).isEqualTo(700_000_000);
    }

    /** Prometheus answers another number than 0, or nothing, because no replica was there all the time. */
    @Test
    void saysThatAProcessWasReplaced() throws IOException {
        Deployment deployment = system.find();
        for (Optional<Double> answer : List.of(Optional.of(1.0), Optional.<Double>empty())) {
            Set<String> reasons = new LinkedHashSet<>();
            system.values.remove("count(");
            answer.ifPresent(replaced -> system.values.put("count(", replaced));

            deployment.cpuNanos("nats", 1000, reasons);

            assertThat(reasons).containsExactly("a process of nats began, ended or was replaced");
        }
    }

    @Test
    void knowsNoMemoryWithoutAGauge() throws IOException {
        assertThat(system.find().memory("nats")).isZero();
        system.values.put("sum(namedprocess_namegroup_memory_bytes", 5e6);
        assertThat(system.find().memory("nats")).isEqualTo(5_000_000);
    }

    @Test
    void saysWhatIsWrongWithATarget() {
        system.pages.put("/transports", "[]");
        assertRefused("is no Chatterbox: /transports has no rows");
        system.pages.put("/transports", "<html>");
        assertRefused("answers to /transports without JSON");
        system.pages.remove("/transports");
        assertRefused("answers 404 to /transports");
        system.pages.put("/transports", "[{\"name\":\"nats\",\"state\":\"down\",\"exchanges\":[]}]");
        assertRefused("No row is up at");
        system.pages.put("/actuator/info", "{\"build\":{\"version\":\"0.9\"}}");
        assertRefused("runs Chatterbox 0.9, but its metrics must be those of 1.0.0");
    }

    @Test
    void saysWhichRowsAreUpIfAnotherOneIsNamed() {
        assertThatThrownBy(() -> find(List.of("kafka"), false))
                .hasMessageContaining("The row kafka is not up at")
                .hasMessageContaining("up are: [nats]");
        assertThat(find(List.of("kafka", "nats"), true).target().rows()).hasSize(1);
    }

    @Test
    void refusesAPrometheusThatIsAwayOrKnowsNoneOfItOrSeveralSystems() {
        system.clocks.put(BROKER, List.of("{\"namespace\":\"a\"}", "{\"namespace\":\"b\"}"));
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
            assertThatThrownBy(() -> Remote.of(wrong, Optional.empty()))
                    .as(wrong)
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("is no address");
        }
        assertThatThrownBy(() -> Remote.of("http://user:secret@host", Optional.empty()))
                .hasMessageNotContaining("secret");
        assertThat(Remote.of("https://host:9/prometheus/", Optional.empty()).address())
                .hasPath("/prometheus");
    }

    private Deployment find(List<String> names, boolean onlyIfUp) {
        return Deployment.find(system.aggregator(), system.prometheus(), names, onlyIfUp, FakeSystem.ROWS, "1.0.0");
    }

    private void assertRefused(String message) {
        assertThatThrownBy(system::find)
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(message);
    }
}

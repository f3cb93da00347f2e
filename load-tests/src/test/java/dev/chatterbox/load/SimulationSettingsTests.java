package dev.chatterbox.load;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.chatterbox.workloads.Workload;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SimulationSettingsTests {

    @Test
    void measuresEveryTransportThatIsUpWithTheClassicWorkload() {
        LoadPlan plan = settings(Map.of()).closed();

        assertThat(plan.baseUrl()).isEqualTo("http://127.0.0.1:8080");
        assertThat(plan.measureSeconds()).isEqualTo(30);
        assertThat(plan.warmUp().minSeconds()).isEqualTo(10);
        assertThat(plan.timeoutSeconds()).isEqualTo(30);
        assertThat(plan.steps()).extracting(Step::row, Step::workload).containsExactly(tuple("kafka"), tuple("nats"));
    }

    private static org.assertj.core.groups.Tuple tuple(String transport) {
        return org.assertj.core.groups.Tuple.tuple(transport, Workload.parse("calls=1000 users=100"));
    }

    @Test
    void takesPropertiesAsTheyAreWrittenOnACommandLine() {
        LoadPlan plan = settings(Map.of(
                        "baseUrl", "http://10.0.0.7:80/",
                        "transport", "nats, rest",
                        "calls", "10",
                        "rate", "62.5",
                        "duration", "2m",
                        "warmUp", "500ms",
                        "requestTimeout", "1.5s"))
                .open();

        assertThat(plan.baseUrl()).isEqualTo("http://10.0.0.7:80");
        assertThat(plan.measureSeconds()).isEqualTo(120);
        assertThat(plan.warmUp().minSeconds()).isEqualTo(0.5);
        assertThat(plan.timeoutSeconds()).isEqualTo(1.5);
        assertThat(plan.steps()).extracting(Step::row).containsExactly("nats", "rest");
        assertThat(plan.steps()).extracting(Step::workload).containsOnly(Workload.parse("calls=10 rate=62.5"));
    }

    @Test
    void takesAWorkloadInItsTextForm() {
        assertThat(settings(Map.of("workload", "unary calls=7 users=3"))
                        .closed()
                        .steps())
                .extracting(Step::workload)
                .containsOnly(Workload.parse("calls=7 users=3"));
        assertThat(settings(Map.of("workload", "unary calls=7 rate=3.5")).open().steps())
                .extracting(Step::workload)
                .containsOnly(Workload.parse("calls=7 rate=3.5"));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '"',
            value = {
                "calls=7 rate=3            | workload must name users, for this is the closed model",
                "calls=7                   | workload must be such as 'unary calls=1000 users=100': a workload needs either",
                "calls=7 users=3 distance=1ms | the generator can offer no distance",
            })
    void refusesAWorkloadThatIsNotOfItsModel(String workload, String message) {
        SimulationSettings settings = settings(Map.of("workload", workload));

        assertThatExceptionOfType(SettingsException.class)
                .isThrownBy(settings::closed)
                .withMessageContaining(message);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "users          | 0          | users must be a whole number from 1 to 10000; it is '0'",
                "users          | many       | users must be a whole number from 1 to 10000; it is 'many'",
                "calls          | -1         | calls must be a whole number from 1 to 1000000; it is '-1'",
                "duration       | 30         | duration must be a duration from 0.1s to 86400s, such as 500ms, 30s or 2m; it is '30'",
                "warmUp         | 2h         | warmUp must be a duration from 0s to 3600s, such as 500ms, 30s or 2m; it is '2h'",
                "requestTimeout | 11m        | requestTimeout must be a duration from 0.1s to 600s, such as 500ms, 30s or 2m; it is '11m'",
                "transport      | nats,      | transport must be a name of small letters, digits and '-'; it is ''",
                "transport      | nats,nats  | the id nats appears twice",
                "baseUrl        | localhost  | baseUrl must be an address such as http://127.0.0.1:8080, without a path; it is 'localhost'",
                "baseUrl        | http://x/y | baseUrl must be an address such as http://127.0.0.1:8080, without a path; it is 'http://x/y'",
            })
    void namesThePropertyTheValueAndTheRange(String property, String value, String message) {
        SimulationSettings settings = settings(Map.of(property, value));

        assertThatExceptionOfType(SettingsException.class)
                .isThrownBy(settings::closed)
                .withMessageContaining(message);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "' '    | rate must be given: requests a second, such as -Drate=50",
                "0      | rate must be a number above 0 and at most 100000, requests a second; it is '0'",
                "fast   | rate must be a number above 0 and at most 100000, requests a second; it is 'fast'",
                "NaN    | rate must be a number above 0 and at most 100000, requests a second; it is 'NaN'",
            })
    void theOpenModelNeedsARate(String rate, String message) {
        SimulationSettings settings = settings(Map.of("rate", rate));

        assertThatExceptionOfType(SettingsException.class)
                .isThrownBy(settings::open)
                .withMessage(message);
    }

    @Test
    void saysSoWhenNoTransportIsUp() {
        SimulationSettings settings = new SimulationSettings(name -> null, baseUrl -> List.of());

        assertThatExceptionOfType(SettingsException.class)
                .isThrownBy(settings::closed)
                .withMessage("transport must be named: http://127.0.0.1:8080/transports has none that is up");
    }

    private static SimulationSettings settings(Map<String, String> properties) {
        return new SimulationSettings(properties::get, baseUrl -> List.of("kafka", "nats"));
    }
}

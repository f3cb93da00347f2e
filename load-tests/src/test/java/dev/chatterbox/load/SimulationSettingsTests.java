package dev.chatterbox.load;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.chatterbox.workloads.Workload;
import dev.chatterbox.workloads.WorkloadException;
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
        assertThat(plan.duration()).isEqualTo(30);
        assertThat(plan.warmUp()).isEqualTo(10);
        assertThat(plan.requestTimeout()).isEqualTo(30);
        assertThat(plan.variants()).containsExactly("kafka", "nats");
        assertThat(plan.workload()).isEqualTo(Workload.parse("calls=1000 users=100"));
        assertThat(plan.users()).isEqualTo(100);
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
        assertThat(plan.duration()).isEqualTo(120);
        assertThat(plan.warmUp()).isEqualTo(0.5);
        assertThat(plan.requestTimeout()).isEqualTo(1.5);
        assertThat(plan.variants()).containsExactly("nats", "rest");
        assertThat(plan.workload()).isEqualTo(Workload.parse("calls=10 rate=62.5"));
        assertThat(plan.users()).as("for requests of 1.5 s").isEqualTo(100);
    }

    @Test
    void takesAWorkloadInItsTextForm() {
        assertThat(settings(Map.of("workload", "unary calls=7 users=3"))
                        .closed()
                        .workload())
                .isEqualTo(Workload.parse("calls=7 users=3"));
        assertThat(settings(Map.of("workload", "unary calls=7 rate=3.5")).open().workload())
                .isEqualTo(Workload.parse("calls=7 rate=3.5"));
    }

    @Test
    void theOpenModelHasUsersForAllRequestsThatMayBeUnderWay() {
        assertThat(settings(Map.of("rate", "50")).open().users()).isEqualTo(1500);
        assertThat(settings(Map.of("rate", "50000")).open().users()).isEqualTo(16_384);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '"',
            value = {
                "calls=7 rate=3            | workload must name users, for this is the closed model",
                "calls=7                   | a workload needs either users=N (closed model) or rate=R",
                "calls=7 users=3 distance=1ms | the generator can offer no distance",
                "calls=1000001 users=1     | calls must be 1 to 1000000, but it is 1000001",
                "calls=1 users=16385       | a slice has at most 16384 users or 100000 requests per second",
                "batch calls=1 users=1     | size=N is missing",
            })
    void refusesAWorkloadThatIsNotOfItsModel(String workload, String message) {
        SimulationSettings settings = settings(Map.of("workload", workload));

        assertThatExceptionOfType(WorkloadException.class)
                .isThrownBy(settings::closed)
                .withMessageContaining(message);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "users          | 0          | users must be 1 or more, but it is 0",
                "users          | many       | users must be a whole number, but it is 'many'",
                "calls          | -1         | calls must be a whole number, but it is '-1'",
                "duration       | 3 s        | duration: a duration is such as 500ms, 5s, 0.5s or 2m, but it is '3 s'",
                "warmUp         | 2h         | warmUp: it must be from 0s to 1h, but it is '2h'",
                "requestTimeout | 11m        | requestTimeout: it must be from 100ms to 10m, but it is '11m'",
                "transport      | nats,      | transport must be a name of small letters, digits and '-'; it is ''",
                "transport      | nats,nats  | transport names one twice; it is 'nats,nats'",
                "baseUrl        | localhost  | baseUrl must be an address such as http://127.0.0.1:8080, without a path; it is 'localhost'",
                "baseUrl        | http://x/y | baseUrl must be an address such as http://127.0.0.1:8080, without a path; it is 'http://x/y'",
            })
    void namesThePropertyTheValueAndTheRange(String property, String value, String message) {
        SimulationSettings settings = settings(Map.of(property, value));

        assertThatExceptionOfType(WorkloadException.class)
                .isThrownBy(settings::closed)
                .withMessageContaining(message);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "' '    | rate must be given: requests per second, such as -Drate=50",
                "0      | rate must be more than 0 and at most 1000000 requests per second, but it is 0.0",
                "fast   | rate must be a number, but it is 'fast'",
                "100001 | a slice has at most 16384 users or 100000 requests per second, and no share of a capacity; it is 'unary calls=1000 rate=100001'",
                "70%-of-slowest | a slice has at most 16384 users or 100000 requests per second, and no share of a capacity; it is 'unary calls=1000 rate=70%-of-slowest'",
                "NaN    | rate must be a number, but it is 'NaN'",
            })
    void theOpenModelNeedsARate(String rate, String message) {
        SimulationSettings settings = settings(Map.of("rate", rate));

        assertThatExceptionOfType(WorkloadException.class)
                .isThrownBy(settings::open)
                .withMessage(message);
    }

    @Test
    void saysSoWhenNoTransportIsUp() {
        SimulationSettings settings = new SimulationSettings(name -> null, baseUrl -> List.of());

        assertThatExceptionOfType(WorkloadException.class)
                .isThrownBy(settings::closed)
                .withMessage("transport must be named: http://127.0.0.1:8080/transports has none that is up");
    }

    private static SimulationSettings settings(Map<String, String> properties) {
        return new SimulationSettings(properties::get, baseUrl -> List.of("kafka", "nats"));
    }
}

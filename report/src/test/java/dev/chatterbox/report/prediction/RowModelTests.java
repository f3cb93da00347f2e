package dev.chatterbox.report.prediction;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.chatterbox.results.Role;
import dev.chatterbox.workloads.Workload;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.ToDoubleFunction;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** On made-up costs that are known. */
class RowModelTests {

    private static final String UNARY = "unary calls=1,10,100 rate=100,300,600";
    private static final String BATCHES = "batch calls=100 size=10,50 rate=100,300,600";
    private static final String PAYLOADS = "unary calls=10 rate=100,300,600 payload=1024";
    private static final Map<String, Double> IDLE = Map.of(Role.AGGREGATOR, 0.01);

    /** Seconds of a processor: 100 µs a request, 4 a message, 2 an input, 1 ns a byte, 10 more for one that is alone. */
    private static double cores(Workload workload) {
        double requests = Range.rate(workload);
        double messages = requests * workload.messages();
        double inputs = requests * workload.calls();
        return 0.01
                + 100e-6 * requests
                + 4e-6 * messages
                + 2e-6 * inputs
                + 1e-9 * inputs * workload.payloadBytes()
                + 10e-6 * messages * new Batching(16, 1e-3).left(workload.messages(), messages);
    }

    private static double p50(Workload workload) {
        return 500e-6 + 3e-6 * workload.messages() + workload.distanceMillis() / 1e3;
    }

    private static List<Observation> observed(String workloads, ToDoubleFunction<Workload> factor) {
        return Workload.parseAll(workloads).stream()
                .map(workload -> new Observation(
                        workload,
                        Map.of(Role.AGGREGATOR, cores(workload) * factor.applyAsDouble(workload)),
                        p50(workload) * factor.applyAsDouble(workload)))
                .toList();
    }

    private static RowModel model(String workloads) {
        return RowModel.of("row", observed(workloads, workload -> 1), IDLE, 1024, 2)
                .orElseThrow();
    }

    private static Prediction predicted(RowModel model, String workload) {
        return model.predict(Workload.parse(workload)).prediction().orElseThrow();
    }

    private static double system(RowModel model, String workload) {
        return predicted(model, workload).system().value();
    }

    @ParameterizedTest
    @CsvSource({
        "unary calls=40 rate=500",
        "unary calls=1 rate=50",
        "unary calls=100 rate=900",
        "batch calls=100 size=20 rate=200",
        "unary calls=10 rate=400 payload=512",
        "batch calls=60 size=30 rate=1000"
    })
    void predictsWhatWasNotMeasured(String workload) {
        Workload asked = Workload.parse(workload);
        Prediction prediction = predicted(model(UNARY + ";" + BATCHES + ";" + PAYLOADS), workload);

        assertThat(prediction.cores().get(Role.AGGREGATOR)).isCloseTo(cores(asked), within(0.03 * cores(asked)));
        assertThat(prediction.p50())
                .hasValueSatisfying(p50 -> assertThat(p50.value()).isCloseTo(p50(asked), within(0.03 * p50(asked))));
    }

    @Test
    void tellsMessagesAndInputsApartByTheirExchangesTogether() {
        RowModel both = model(UNARY + ";" + BATCHES);

        assertThat(system(both, "batch calls=100 size=100 rate=500"))
                .as("one message of 100 inputs")
                .isCloseTo(cores(Workload.parse("batch calls=100 size=100 rate=500")), within(0.01));
    }

    @Test
    void saysHowFarItLayFromCellsThatItHadNotSeen() {
        RowModel exact = model(UNARY);
        assertThat(exact.accuracy().cpu().cells()).as("one of each three rates").isEqualTo(3);
        assertThat(exact.accuracy().cpu().nineOfTen()).isLessThan(0.03);

        Random random = new Random(1);
        RowModel noisy = RowModel.of("row", observed(UNARY, workload -> 1 + 0.2 * random.nextGaussian()), IDLE, 1024, 2)
                .orElseThrow();
        assertThat(noisy.accuracy().cpu().nineOfTen())
                .isGreaterThan(exact.accuracy().cpu().nineOfTen() + 0.05);
        Prediction.Estimate system = predicted(noisy, "unary calls=10 rate=200").system();
        assertThat(system.high() / system.value())
                .isCloseTo(1 + noisy.accuracy().cpu().nineOfTen(), within(1e-9));
        assertThat(system.value() / system.low())
                .isCloseTo(1 + noisy.accuracy().cpu().nineOfTen(), within(1e-9));
    }

    @Test
    void aCellThatIsLeftOutIsNotInTheFit() {
        List<Observation> exact = observed(UNARY, workload -> 1);
        // The cell in the middle of its shape lies far off: its own error must show it, however many others agree.
        List<Observation> one = exact.stream()
                .map(observation -> observation.workload().toString().equals("unary calls=10 rate=300")
                        ? new Observation(
                                observation.workload(),
                                Map.of(Role.AGGREGATOR, 2 * observation.system()),
                                observation.p50())
                        : observation)
                .toList();

        assertThat(RowModel.of("row", one, IDLE, 1024, 2)
                        .orElseThrow()
                        .accuracy()
                        .cpu()
                        .nineOfTen())
                .isCloseTo(0.5, within(0.02));
    }

    @Test
    void hasNoModelOfTwoRates() {
        assertThat(RowModel.of("row", observed("unary calls=1,10,100 rate=100,300", workload -> 1), IDLE, 1024, 2))
                .isEmpty();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "batch calls=100 size=10 rate=100 | batch was not measured",
                "stream calls=100 rate=100        | stream was not measured",
                "unary calls=201 rate=10          | 201 calls a request are more than twice what was measured, 100",
                "unary calls=1 rate=1201          | 1,201 requests a second are more than twice what was measured, 600",
                "unary calls=150 rate=1000        | 150,000 calls a second are more than twice what was measured, 60,000",
                "unary calls=1 rate=1 payload=1   | 1 bytes of payload are more than twice what was measured, 0",
                "unary calls=1 rate=1 distance=1  | 1 milliseconds of distance are more than twice what was measured, 0",
            })
    void refusesWhatLiesBeyondTwiceWhatWasMeasured(String workload, String reason) {
        assertThat(model(UNARY).predict(Workload.parse(workload)).refusal()).startsWith(reason);
    }

    @Test
    void tellsNoLatencyWhereTheMachineWouldHaveNoProcessorLeft() {
        RowModel model = model("unary calls=1,10,100 rate=100,900,3000");
        Prediction prediction = predicted(model, "unary calls=100 rate=4000");

        assertThat(prediction.system().value()).isGreaterThan(2);
        assertThat(prediction.p50()).isEmpty();
    }

    @Test
    void roundTripsFollowOneAnotherWhereMoreMessagesAreToBeSentThanMayBeInFlight() {
        List<Observation> observed = Stream.of("unary calls=1,10,100 rate=10,30,60 distance=10ms")
                .flatMap(text -> observed(text, workload -> 1).stream())
                .toList();
        RowModel narrow = RowModel.of(
                        "row",
                        observed.stream()
                                .map(one -> new Observation(
                                        one.workload(),
                                        one.cores(),
                                        500e-6
                                                + 0.010
                                                        * Math.ceil(
                                                                one.workload().messages() / 25.0)))
                                .toList(),
                        IDLE,
                        25,
                        2)
                .orElseThrow();

        assertThat(predicted(narrow, "unary calls=100 rate=40 distance=20ms").p50())
                .hasValueSatisfying(p50 -> assertThat(p50.value()).isCloseTo(0.0805, within(0.002)));
    }
}

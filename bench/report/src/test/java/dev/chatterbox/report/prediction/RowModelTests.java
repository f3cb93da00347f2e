package dev.chatterbox.report.prediction;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.chatterbox.results.Role;
import dev.chatterbox.transport.Exchange;
import dev.chatterbox.workloads.Load;
import dev.chatterbox.workloads.Workload;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.ToDoubleFunction;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests the model on made-up costs that are known. */
class RowModelTests {

    private static final String UNARY = "unary calls=1,10,100 rate=100,300,600";
    private static final String BATCHES = "batch calls=100 size=10,50 rate=100,300,600";
    private static final String PAYLOADS = "unary calls=10 rate=100,300,600 payload=1024";
    private static final Map<String, Double> IDLE = Map.of(Role.AGGREGATOR, 0.01);

    /** Processor time: 100 µs a request, 4 µs a message, 2 µs an input, 1 ns a byte, 10 µs more for a message alone. */
    private static double cores(Workload workload) {
        double requests = Range.rate(workload);
        double messages = requests * workload.messages();
        double inputs = requests * workload.calls();
        return 0.01
                + 100e-6 * requests
                + 4e-6 * messages
                + 2e-6 * inputs
                + 1e-9 * inputs * workload.payloadBytes()
                + 10e-6 * messages * new Batching(16, 1e-3).alone(workload.messages(), messages);
    }

    private static double p50(Workload workload) {
        return 500e-6 + 3e-6 * workload.messages();
    }

    private static List<Observation> observed(String workloads, ToDoubleFunction<Workload> factor) {
        return Workload.parseAll(workloads).stream()
                .map(workload -> new Observation(
                        workload,
                        Map.of(Role.AGGREGATOR, cores(workload) * factor.applyAsDouble(workload)),
                        0,
                        p50(workload) * factor.applyAsDouble(workload)))
                .toList();
    }

    private static final RowPath.AtOnce MANY = new RowPath.AtOnce(2048, 100_000, 1e9);
    private static final RowPath PATH = new RowPath(1, MANY, MANY, MANY, 5);

    private static RowModel model(String workloads) {
        return model(observed(workloads, workload -> 1));
    }

    private static RowModel model(List<Observation> observations) {
        return model(observations, PATH);
    }

    private static RowModel model(List<Observation> observations, RowPath path) {
        return RowModel.of("row", observations, IDLE, path, 2).orElseThrow();
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
        "unary calls=100 rate=500",
        "batch calls=100 size=20 rate=200",
        "unary calls=10 rate=400 payload=512",
        "batch calls=60 size=30 rate=1000"
    })
    void predictsWhatWasNotMeasured(String workload) {
        Workload target = Workload.parse(workload);
        Prediction prediction = predicted(model(UNARY + ";" + BATCHES + ";" + PAYLOADS), workload);

        assertThat(prediction.cores().get(Role.AGGREGATOR)).isCloseTo(cores(target), within(0.03 * cores(target)));
        assertThat(prediction.p50())
                .hasValueSatisfying(p50 -> assertThat(p50.value()).isCloseTo(p50(target), within(0.03 * p50(target))));
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
        assertThat(exact.accuracy().rates().cpu().cells())
                .as("one of each three rates")
                .isEqualTo(3);
        assertThat(exact.accuracy().rates().cpu().nineOfTen()).isLessThan(0.03);

        Random random = new Random(1);
        RowModel noisy = model(observed(UNARY, workload -> 1 + 0.2 * random.nextGaussian()));
        assertThat(noisy.accuracy().rates().cpu().nineOfTen())
                .isGreaterThan(exact.accuracy().rates().cpu().nineOfTen() + 0.05);
        Prediction.PredictedFigure system =
                predicted(noisy, "unary calls=10 rate=200").system();
        assertThat(system.high() / system.value())
                .isCloseTo(1 + noisy.accuracy().cpuWithin(), within(1e-9));
        assertThat(system.value() / system.low()).isCloseTo(1 + noisy.accuracy().cpuWithin(), within(1e-9));
    }

    /** The cell in the middle of its shape is far off. Its own error must show this, however many others agree. */
    private static List<Observation> twiceAtTenCalls(List<Observation> observations, String... workloads) {
        return observations.stream()
                .map(one -> List.of(workloads).contains(one.workload().toString())
                        ? new Observation(
                                one.workload(), Map.of(Role.AGGREGATOR, 2 * one.system()), one.generator(), one.p50())
                        : one)
                .toList();
    }

    @Test
    void aCellThatIsLeftOutIsNotInTheFit() {
        List<Observation> one = twiceAtTenCalls(observed(UNARY, workload -> 1), "unary calls=10 rate=300");

        assertThat(model(one).accuracy().rates().cpu().nineOfTen())
                .as("half of what was measured is a range up to twice what was predicted")
                .isCloseTo(1, within(0.04));
    }

    /** Two runs ask for the same share of a capacity, and reach rates that are close to each other. */
    @Test
    void anotherRunsCellOfTheSameLoadIsLeftOutWithIt() {
        List<Observation> two = Stream.of(1.0, 1.05)
                .flatMap(capacity -> twiceAtTenCalls(observed(UNARY, workload -> 1), "unary calls=10 rate=300").stream()
                        .map(one -> new Observation(
                                one.workload().under(new Load.Rate(capacity * one.rate())),
                                one.cores(),
                                one.generator(),
                                one.p50())))
                .toList();

        assertThat(model(two).accuracy().rates().cpu()).satisfies(errors -> {
            assertThat(errors.cells()).as("the middle ones of both, and no end").isEqualTo(6);
            assertThat(errors.nineOfTen()).isGreaterThan(0.85);
        });
    }

    @Test
    void twoRunsReachAShareOfACapacityAtRatesThatAreNearlyTheSame() {
        Workload workload = Workload.parse("unary calls=10 rate=100");
        Observation one = new Observation(workload, Map.of(), 0, 1);
        Observation faster = new Observation(workload.under(new Load.Rate(118)), Map.of(), 0, 1);
        Observation other = new Observation(workload.under(new Load.Rate(130)), Map.of(), 0, 1);

        assertThat(one.isTwinOf(faster)).isTrue();
        assertThat(faster.isTwinOf(one)).isTrue();
        assertThat(one.isTwinOf(other)).isFalse();
    }

    /** A request waits for the processors, whichever process keeps them busy. */
    @Test
    void countsTheGeneratorsShareOfTheProcessors() {
        ToDoubleFunction<Workload> generator = workload -> 1e-3 * Range.rate(workload);
        List<Observation> all = Workload.parseAll(UNARY).stream()
                .map(workload -> {
                    double busy = (cores(workload) + generator.applyAsDouble(workload)) / 2;
                    return new Observation(
                            workload,
                            Map.of(Role.AGGREGATOR, cores(workload)),
                            generator.applyAsDouble(workload),
                            1e-3 * (1 + busy / (1 - busy)));
                })
                .toList();
        RowModel model = model(all);
        Workload target = Workload.parse("unary calls=10 rate=500");
        double busy = (cores(target) + 0.5) / 2;

        assertThat(predicted(model, target.toString()).p50().orElseThrow().value())
                .isCloseTo(1e-3 / (1 - busy), within(5e-5));
        assertThat(predicted(model, target.toString()).cores()).containsOnlyKeys(Role.AGGREGATOR);
    }

    @Test
    void refusesWhereRequestsAndMessagesCannotBeToldApart() {
        RowModel model =
                model(observed("unary calls=100 rate=100,300,600", workload -> 1 + 1e-3 * Range.rate(workload)));

        assertThat(model.coefficients())
                .singleElement()
                .satisfies(one -> assertThat(one.seconds()).hasSize(Coefficients.NAMES.size()));
        assertThat(model.predict(Workload.parse("unary calls=50 rate=100")).refusal())
                .startsWith(
                        "what a request, a message and a call cost its aggregator cannot be told apart from these loads");
    }

    @Test
    void saysHowFarItLayFromLoadsThatItHadSeenAtNoRate() {
        RowModel exact = model(UNARY + ";" + PAYLOADS + "; unary calls=10 rate=100,300,600 payload=512");
        assertThat(exact.accuracy().loads()).hasValueSatisfying(loads -> {
            assertThat(loads.cpu().cells())
                    .as("10 calls, between 1 and 100; 512 bytes, between 0 and 1024")
                    .isEqualTo(6);
            assertThat(loads.cpu().nineOfTen()).isLessThan(0.1);
        });

        RowModel odd = model(twiceAtTenCalls(
                observed(UNARY, workload -> 1),
                "unary calls=10 rate=100",
                "unary calls=10 rate=300",
                "unary calls=10 rate=600"));
        assertThat(odd.accuracy().loads())
                .hasValueSatisfying(loads -> assertThat(loads.cpu().nineOfTen()).isGreaterThan(0.8));
        assertThat(odd.accuracy().cpuWithin())
                .as("the worse of the two")
                .isEqualTo(Prediction.Accuracy.inAnotherHour(
                        odd.accuracy().loads().orElseThrow().cpu().nineOfTen()));
    }

    @Test
    void hasNoModelOfTwoRates() {
        List<Observation> two = observed("unary calls=1,10,100 rate=100,300", workload -> 1);

        assertThat(RowModel.of("row", two, IDLE, PATH, 2)).isEmpty();
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
                "unary calls=1 rate=1 payload=1   | 1 bytes a message are more than twice what was measured, 0",
                "unary calls=1 rate=1 distance=5000 | a call would wait 5,000 ms for the distance alone, and its deadline is 5,000 ms",
            })
    void refusesWhatLiesBeyondTwiceWhatWasMeasured(String workload, String reason) {
        assertThat(model(UNARY).predict(Workload.parse(workload)).refusal()).startsWith(reason);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "batch calls=100 size=50 rate=1 payload=1024 | 51,200 bytes a message are more than twice what was measured, 1,024",
                "unary calls=40 rate=1 payload=1024          | 40,960 bytes a request are more than twice what was measured, 10,240",
                "unary calls=20 rate=601 payload=1024        | 12,308,480 bytes a second are more than twice what was measured, 6,144,000",
                "unary calls=1 rate=1 payload=2049           | 2,049 bytes a message are more than twice what was measured, 1,024",
                "stream calls=2 rate=130                     | 130 requests a second are more than twice what was measured, 60",
                "batch calls=100 size=50 rate=1201           | 120,100 calls a second are more than twice what was measured, 60,000",
            })
    void knowsHowFarItWasMeasuredByEachExchange(String workload, String reason) {
        RowModel all = model(UNARY + ";" + BATCHES + ";" + PAYLOADS + "; stream calls=10,100 rate=10,30,60");

        assertThat(all.predict(Workload.parse(workload)).refusal()).startsWith(reason);
    }

    @Test
    void answersNoExchangeOfWhichNothingWasLeftOut() {
        RowModel model = model(UNARY + "; batch calls=100 size=10,50 rate=100,300");

        assertThat(model.predict(Workload.parse("batch calls=100 size=10 rate=200"))
                        .refusal())
                .isEqualTo("batch was not measured at three rates");
    }

    @Test
    void tellsWhatAStreamCostsForBeingOpened() {
        ToDoubleFunction<Workload> opened = workload -> workload.exchange() == Exchange.STREAM
                ? (cores(workload) + 1e-3 * Range.rate(workload)) / cores(workload)
                : 1;
        RowModel model = model(observed(UNARY + "; stream calls=10,100,1000 rate=20,60,90", opened));
        Workload target = Workload.parse("stream calls=30 rate=50");

        assertThat(system(model, target.toString())).isCloseTo(cores(target) + 0.05, within(0.01));
    }

    @Test
    void tellsNoLatencyAboveTheBusiestCell() {
        Prediction prediction = predicted(model(UNARY), "unary calls=100 rate=900");

        assertThat(prediction.system().value()).isGreaterThan(cores(Workload.parse("unary calls=100 rate=600")));
        assertThat(prediction.p50()).isEmpty();
        assertThat(prediction.withoutP50())
                .matches("it needs more than the 0\\.\\d\\d processors of the busiest cell that was measured");
    }

    /** A call over a broker waits for two links. If 25 messages may be in flight, 100 messages take four turns. */
    @Test
    void addsTheDistanceOfEveryLinkForEveryTurn() {
        RowPath.AtOnce few = new RowPath.AtOnce(25, 100_000, 1e9);
        RowModel narrow = model(observed(UNARY, workload -> 1), new RowPath(2, few, MANY, MANY, 5));

        assertThat(predicted(narrow, "unary calls=100 rate=40 distance=20ms").p50())
                .hasValueSatisfying(p50 -> assertThat(p50.value()).isCloseTo(0.0008 + 4 * 2 * 0.020, within(0.001)));
    }

    @Test
    void tellsNoLatencyWhereTheDistanceKeepsMoreUnderWayThanMayBe() {
        Prediction prediction = predicted(model(UNARY), "unary calls=100 rate=500 distance=50ms");

        assertThat(prediction.p50()).isEmpty();
        assertThat(prediction.withoutP50())
                .isEqualTo("2,500 messages would be under way over the distance, and 2,048 may be");
    }
}

package dev.chatterbox.report;

import static dev.chatterbox.report.SampleRun.KAFKA;
import static dev.chatterbox.report.SampleRun.NATS;
import static dev.chatterbox.report.SampleRun.REST;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.chatterbox.report.advice.Advice;
import dev.chatterbox.report.advice.Adviser;
import dev.chatterbox.report.advice.Candidate;
import dev.chatterbox.report.advice.Question;
import dev.chatterbox.report.tables.Emphasis;
import dev.chatterbox.results.Results;
import dev.chatterbox.results.ResultsFile;
import dev.chatterbox.rows.Rows;
import dev.chatterbox.workloads.Workload;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Advice from the published results, and from a made-up run that has batches; the report's script says the same. */
class AdviceTextTests {

    private static final Path HEADLINE = Path.of("..", "..", "docs", "results", "headline.json.gz");
    private static final Rows ROWS = Rows.read(Path.of("..", "..", "rows"));
    private static final Adviser PUBLISHED = new Adviser(ResultsFile.read(HEADLINE), ROWS);

    /** The questions of the table below; docs/prediction.md shows some of them. */
    private static final List<Question> QUESTIONS = List.of(
            question("calls=10 rate=1000", true, false),
            question("calls=1 rate=200", true, false),
            question("calls=10 rate=1000", false, false),
            question("calls=10 rate=1000", true, true, "kafka"),
            question("calls=1 rate=200", false, true),
            question("calls=1000 rate=20", true, false),
            question("calls=1000 rate=20", false, false, "nats"),
            question("calls=40 rate=200 distance=1ms", true, false),
            question("calls=100 rate=1000", true, true),
            question("calls=40 rate=200 payload=1024", true, false));

    @TempDir
    Path folder;

    private static Question question(String load, boolean mayBeLost, boolean outlivesRestart, String... brokers) {
        return new Question(Workload.parse(load), mayBeLost, outlivesRestart, Set.of(brokers));
    }

    /**
     * Each line was checked by hand: for measured loads (0 to 4) the processors are calls × rate × the CPU-µs a call of
     * the table that publish makes; others lie between measured loads.
     */
    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            0 | rsocket                            | 0.4030
            1 | grpc rest-netty rsocket            | 0.1795
            2 | jetstream kafka                    | 1.1398
            3 | jetstream kafka                    | 1.1398
            4 | jetstream                          | 0.3455
            """)
    void answersAMeasuredLoadByWhatWasMeasured(int question, String tied, double processors) {
        Advice advice = PUBLISHED.answer(QUESTIONS.get(question));

        assertThat(advice.measured()).contains(QUESTIONS.get(question).workload());
        assertThat(String.join(
                        " ",
                        advice.tied().stream().map(Candidate::name).sorted().toList()))
                .isEqualTo(tied);
        assertThat(advice.fitting().get(0).system().value()).isCloseTo(processors, within(0.0001));
    }

    @Test
    void theScriptSaysTheSame() throws IOException, InterruptedException {
        same(PUBLISHED);
        same(new Adviser(withBatches(), ROWS));
    }

    private void same(Adviser adviser) throws IOException, InterruptedException {
        assumeTrue(NodeScript.isInstalled(), "There is no Node.js here: the report's advice is not tested");
        List<Map<String, Object>> input = QUESTIONS.stream()
                .map(question -> Map.<String, Object>of(
                        "load", PredictionScriptTests.load(question.workload()),
                        "need",
                                Map.of(
                                        "mayBeLost", question.mayBeLost(),
                                        "outlivesRestart", question.outlivesRestart(),
                                        "brokers", question.brokers())))
                .toList();
        JsonNode answers = NodeScript.calculated(
                folder,
                new PredictionSection(adviser),
                input,
                "input.map(({ load, need }) => advice.answer(data, load, need))");
        for (int i = 0; i < QUESTIONS.size(); i++) {
            Advice advice = adviser.answer(QUESTIONS.get(i));
            JsonNode answer = answers.path(i);
            assertThat(answer.path("sentences").values().stream()
                            .map(JsonNode::asString)
                            .toList())
                    .isEqualTo(AdviceText.sentences(advice));
            assertThat(answer.path("rows").size()).isEqualTo(advice.fitting().size());
            for (int k = 0; k < advice.fitting().size(); k++) {
                Candidate one = advice.fitting().get(k);
                JsonNode same = answer.path("rows").path(k);
                assertThat(same.path("row").asString()).isEqualTo(one.name());
                close(same.path("system"), one.system().value());
                close(same.path("low"), one.system().low());
                close(same.path("high"), one.system().high());
                one.p50().ifPresent(p50 -> close(same.path("p50"), p50.value()));
                assertThat(same.path("p50").isNull()).isEqualTo(one.p50().isEmpty());
                one.cores().forEach((role, cores) -> close(same.path("cores").path(role), cores));
            }
        }
    }

    private static void close(JsonNode calculated, double value) {
        assertThat(calculated.asDouble()).isCloseTo(value, within(1e-9 + 1e-6 * value));
    }

    private static Results withBatches() {
        return new SampleRun("model", 6, List.of(SampleRun.MEMORY, REST, NATS, KAFKA))
                .headline("unary calls=1,10,100,1000 rate=20%,45%,70%; unary calls=1000 users=25;"
                        + " batch calls=1000 size=10,100 users=25; batch calls=1000 size=10,100 rate=20%,45%,70%")
                .results();
    }

    @Test
    void tellsATieAndWhatBreaksItAndNeverOneName() throws IOException {
        List<String> lines = text(HEADLINE, QUESTIONS.get(3)).lines();

        assertThat(lines).allSatisfy(line -> assertThat(line.length()).as(line).isLessThanOrEqualTo(100));
        assertThat(String.join(" ", lines).replaceAll(" +", " "))
                .contains(
                        "You need: 10 calls a request, 1.00 k requests/s; a request must outlive a restart of the broker; already there: kafka.",
                        "The figures name no single row. Tied are jetstream and kafka: this run could not tell their costs apart.",
                        "What a request outlives does not break the tie: a restarted broker, with each.",
                        "The broker to operate may break the tie (jetstream: nats, new; kafka: kafka, there).",
                        "The results hold no batches of these rows",
                        "a request outlives too little (artemis and rabbitmq: a dead responder; grpc, nats");
    }

    @Test
    void tellsWhatBatchesChanged() throws IOException {
        Path run = new SampleRun("model", 6, List.of(SampleRun.MEMORY, REST, NATS, KAFKA))
                .headline("unary calls=1,10,100 rate=20%,45%,70%; unary calls=1000 users=25;"
                        + " batch calls=1000 size=10,100 users=25")
                .write(folder, "batches");

        String many = String.join(
                        " ",
                        text(run, question("calls=40 rate=10", true, false)).lines())
                .replaceAll(" +", " ");
        String one = String.join(
                " ", text(run, question("calls=1 rate=10", true, false)).lines());

        assertThat(many)
                .containsPattern(
                        "rest, 1,000 calls a request, 25 users, in batches of 100 calls a message: \\S+ CPU-µs a call; as single"
                                + " messages \\S+, \\S+ \\[\\S+\\] times as much")
                .doesNotContain("hold no batches");
        assertThat(one).contains("Batching changes nothing: a request has one call.");
    }

    @Test
    void saysThatItHasNoFigureForAPayloadThatNobodyMeasured() throws IOException {
        AdviceText text = text(HEADLINE, QUESTIONS.get(9));

        assertThat(text.answered()).isFalse();
        assertThat(String.join(" ", text.lines()).replaceAll(" +", " "))
                .contains("No row that was measured fits and has a figure.")
                .contains("rest-netty and rsocket: 1,024 bytes a message are more than twice what was measured, 0.");
    }

    @Test
    void namesNoRowWhoseGuaranteeNobodyKnows() throws IOException {
        Path run = new SampleRun("model", 6, List.of(new SampleRun.SampleRow("pigeon", "direct", "", 5, 3, 0, 0.001)))
                .headline("unary calls=1,10 rate=20%,45%,70%")
                .write(folder, "pigeon");

        assertThat(String.join(
                        " ",
                        text(run, question("calls=10 rate=10", true, false)).lines()))
                .contains("No figure for pigeon: no file in rows/ says what a request outlives with it.");
    }

    @Test
    void tellsProgramsTheSame() throws IOException {
        JsonNode json =
                JsonMapper.shared().readTree(text(HEADLINE, QUESTIONS.get(3)).json());

        assertThat(json.path("basis").asString()).isEqualTo("measured");
        assertThat(json.path("tied").toString()).isEqualTo("[\"jetstream\",\"kafka\"]");
        assertThat(json.path("rows").path(0).path("processors").path("value").asDouble())
                .isCloseTo(1.1398, within(0.0001));
        assertThat(json.path("operation").path("kafka, there").path(0).asString())
                .isEqualTo("kafka");
    }

    private static AdviceText text(Path run, Question question) {
        return AdviceText.of(run, "a test", ROWS, question, Emphasis.NONE);
    }
}

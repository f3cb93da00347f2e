package dev.chatterbox.responder;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.json.JsonMapper;

/**
 * The checks of every responder, in whatever language. The responder is started as a process from its description, and
 * the kit talks to it only by its wire protocol and HTTP.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
public abstract class ResponderKit {

    /** Long enough for a loaded machine; a check of something faster has a limit of its own. */
    protected static final Duration PATIENCE = Duration.ofMinutes(1);

    /** {@code ./chatterbox down} kills what has not ended after this time. */
    private static final Duration AT_ONCE = Duration.ofSeconds(10);

    /** So many requests take longer one after the other than a busy machine takes for all of them together. */
    private static final int MANY = 20;

    /** So many requests wait at the same time. */
    private static final int WAITING = 100;

    /** What a process prints is in its log a moment later. */
    private static final Duration SETTLED = Duration.ofMillis(300);

    /** How often spring-kafka's default error handler delivers a request to a listener that throws. */
    private static final int DELIVERIES = 10;

    private static final JsonMapper JSON = new JsonMapper();
    private static final Map<String, Object> NO_FAULTS = Map.of("delay", "PT0S", "drop", 0.0, "wrong", 0.0);

    private final Path folder;
    private final String name;
    private final Map<String, String> address;
    private final Map<String, String> environment;

    /** The responder that most tests share. When a test begins, it is in the state in which it was started. */
    protected @Nullable ResponderProcess service;

    protected @Nullable Requester requester;

    /**
     * @param folder of the responder's description
     * @param name of the process
     * @param address where the responder takes requests, by part
     * @param environment added to that of the description, as a variant's {@code responder.env} is
     */
    protected ResponderKit(Path folder, String name, Map<String, String> address, Map<String, String> environment) {
        this.folder = folder;
        this.name = name;
        this.address = address;
        this.environment = environment;
    }

    /** The points in which this responder differs from what the kit requires. */
    protected Set<ResponderDeviation> deviations() {
        return Set.of();
    }

    /** An address that is not that of the shared responder. */
    protected Map<String, String> elsewhere() {
        Map<String, String> elsewhere = new HashMap<>(address);
        elsewhere.replaceAll((part, value) -> value + "-elsewhere");
        return elsewhere;
    }

    /** Opens a client of the transport, for the address of this responder. */
    protected abstract Requester requester(ResponderProcess service);

    /** One more responder of the same name at the same address. */
    public ResponderProcess another() {
        return another(name, address, Map.of("CHATTERBOX_FAULTS_TOKEN", ResponderProcess.TOKEN));
    }

    /** Starts the shared responder again, which a test has stopped. */
    public final void startAgain() {
        service = another();
    }

    protected ResponderProcess another(String name, Map<String, String> address, Map<String, String> more) {
        Map<String, String> all = new HashMap<>(environment);
        all.putAll(more);
        return ResponderProcess.start(folder, name, address, all);
    }

    @BeforeEach
    void startService() {
        if (service == null || !service.process().isAlive()) {
            startAgain();
        }
        awaitHealth(service, 200);
        requester = requester(service);
    }

    @AfterEach
    void leaveServiceAsItWas() {
        if (requester != null) {
            requester.close();
        }
        requester = null;
        if (service != null && service.process().isAlive()) {
            service.putFaults("{\"delay\":\"0s\",\"drop\":0,\"wrong\":0}");
        }
    }

    @AfterAll
    void stopService() {
        if (service != null) {
            service.close();
        }
        service = null;
    }

    /** Also notices a line too much. */
    private static void awaitLogged(ResponderProcess responder, String text, long lines) {
        await().atMost(PATIENCE)
                .during(SETTLED)
                .untilAsserted(() -> assertThat(responder.logged(text)).isEqualTo(lines));
    }

    /** How many lines with the text are in the log, when it has those of everything that was done before. */
    static long loggedSoFar(ResponderProcess responder, String text) {
        AtomicLong lines = new AtomicLong(-1);
        await().atMost(PATIENCE).during(SETTLED).until(() -> {
            long now = responder.logged(text);
            return lines.getAndSet(now) == now;
        });
        return lines.get();
    }

    protected static void awaitHealth(ResponderProcess responder, int status) {
        await().atMost(PATIENCE).pollDelay(Duration.ZERO).until(() -> responder.health() == status);
    }

    protected CompletableFuture<Requester.Answer> ask(int number) {
        return requester.ask(number);
    }

    protected static void isRefused(CompletableFuture<Requester.Message> answer) {
        assertThat(answer).succeedsWithin(PATIENCE).satisfies(message -> {
            assertThat(message.code()).isEqualTo(400);
            assertThat(message.reason()).isNotBlank();
        });
    }

    protected static void squaresStill(Requester requester) {
        assertThat(requester.ask(3)).succeedsWithin(PATIENCE).isEqualTo(Requester.Answer.square(9));
    }

    /** Asks again until an answer comes, because no responder may be reachable right after a start or an outage. */
    protected static void awaitAnswers(Requester requester, Duration atMost) {
        await().atMost(atMost)
                .pollInterval(Duration.ofMillis(100))
                .ignoreExceptions()
                .untilAsserted(() ->
                        assertThat(requester.ask(3).get(1, TimeUnit.SECONDS)).isEqualTo(Requester.Answer.square(9)));
    }

    protected static void stopsAtOnce(ResponderProcess responder) {
        long start = System.nanoTime();
        responder.close();
        assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(AT_ONCE);
    }

    /** For the checks that are mixed in as interfaces; so is the method that returns the responder. */
    public final Requester requester() {
        return requester;
    }

    public ResponderProcess service() {
        return service;
    }

    protected void fails(String faults) {
        assertThat(service.putFaults(faults).statusCode()).isEqualTo(200);
    }

    private double fault(String fault) {
        return service.figure("chatterbox_faults", Map.of("fault", fault));
    }

    @ParameterizedTest
    @CsvSource({"1,1", "46341,2147488281", "2147483647,4611686014132420609"})
    void squares(int number, long square) {
        assertThat(ask(number)).succeedsWithin(PATIENCE).isEqualTo(Requester.Answer.square(square));
    }

    @ParameterizedTest
    @ValueSource(ints = {0, -1, Integer.MIN_VALUE})
    void refusesWhatIsNoValidNumberAndSaysWhatIs(int number) {
        if (deviations().contains(ResponderDeviation.LEAVES_FAULTY_REQUESTS_UNANSWERED)) {
            refuses(number);
            return;
        }
        assertThat(ask(number)).succeedsWithin(PATIENCE).satisfies(answer -> {
            assertThat(answer.code()).isEqualTo(400);
            assertThat(answer.text()).contains("1 to 2147483647", "" + number);
        });
    }

    /** Returns when the responder has refused the number. */
    private void refuses(int number) {
        if (!deviations().contains(ResponderDeviation.LEAVES_FAULTY_REQUESTS_UNANSWERED)) {
            assertThat(ask(number)).succeedsWithin(PATIENCE);
            return;
        }
        int invalid = service.squares("invalid");
        CompletableFuture<Requester.Answer> answer = ask(number);
        await().atMost(PATIENCE).until(() -> service.squares("invalid") == invalid + DELIVERIES);
        // A later request must be answered, and this one still not.
        assertThat(ask(3)).succeedsWithin(PATIENCE).isEqualTo(Requester.Answer.square(9));
        assertThat(answer).isNotDone();
        assertThat(service.squares("invalid")).isEqualTo(invalid + DELIVERIES);
    }

    @Test
    void answersManyAtOnceEachWithItsOwnSquare() {
        answersEachWithItsOwnSquare(500);
    }

    protected void answersEachWithItsOwnSquare(int requests) {
        List<CompletableFuture<Requester.Answer>> answers =
                IntStream.rangeClosed(1, requests).mapToObj(this::ask).toList();
        for (int number = 1; number <= requests; number++) {
            assertThat(answers.get(number - 1))
                    .succeedsWithin(PATIENCE)
                    .isEqualTo(Requester.Answer.square((long) number * number));
        }
    }

    /** A thread per call would show, and one call after the other would take minutes. */
    @Test
    void callsThatWaitHaveNoThreadOfTheirOwn() {
        boolean oneAtATime = deviations().contains(ResponderDeviation.ANSWERS_ONE_AT_A_TIME);
        assumeFalse(deviations().contains(ResponderDeviation.IGNORES_WORK));
        int wait = oneAtATime ? 10_000 : 1_000_000;
        assertThat(ask(3)).succeedsWithin(PATIENCE);
        int before = service.threads();
        AtomicInteger most = new AtomicInteger();
        long start = System.nanoTime();

        List<CompletableFuture<Requester.Answer>> answers = IntStream.rangeClosed(1, WAITING)
                .mapToObj(number ->
                        requester.send(false, Wire.input(number, 200, wait)).thenApply(reply -> reply.answer(number)))
                .toList();
        CompletableFuture<Void> all = CompletableFuture.allOf(answers.toArray(CompletableFuture[]::new));
        await().atMost(PATIENCE).pollInterval(Duration.ofMillis(20)).until(() -> {
            most.accumulateAndGet(service.threads(), Math::max);
            return all.isDone();
        });

        Duration took = Duration.ofNanos(System.nanoTime() - start);
        assertThat(took).isGreaterThanOrEqualTo(Duration.ofNanos(1_000L * wait * (oneAtATime ? WAITING : 1)));
        for (int number = 1; number <= WAITING; number++) {
            assertThat(answers.get(number - 1)).isCompletedWithValue(Requester.Answer.square((long) number * number));
        }
        assertThat(most).hasValueLessThan(before + WAITING / 4);
    }

    @ParameterizedTest
    @CsvSource({
        "10001, 0, burn must be 0us to 10ms",
        "4294967295, 0, burn must be 0us to 10ms",
        "0, 1000001, wait must be 0us to 1s"
    })
    void refusesWorkBeyondItsRangeAndSaysIt(long burn, long wait, String reason) {
        assumeFalse(deviations().contains(ResponderDeviation.LEAVES_FAULTY_REQUESTS_UNANSWERED)
                || deviations().contains(ResponderDeviation.IGNORES_WORK));
        assertThat(requester.send(false, Wire.input(3, burn, wait)))
                .succeedsWithin(PATIENCE)
                .satisfies(reply -> {
                    assertThat(reply.code()).isEqualTo(400);
                    assertThat(reply.reason()).contains(reason);
                });
    }

    @Test
    void countsByOutcome() {
        int ok = service.squares("ok");
        int invalid = service.squares("invalid");

        assertThat(ask(2)).succeedsWithin(PATIENCE);
        assertThat(ask(3)).succeedsWithin(PATIENCE);
        assertThat(service.squares("ok")).isEqualTo(ok + 2);

        refuses(0);
        boolean delivered = deviations().contains(ResponderDeviation.LEAVES_FAULTY_REQUESTS_UNANSWERED);
        assertThat(service.squares("invalid")).isEqualTo(invalid + (delivered ? DELIVERIES : 1));
    }

    @Test
    void logsAnInvalidRequestOnce() {
        refuses(0);
        refuses(-1);

        awaitLogged(service, "An invalid request", 1);
    }

    @Test
    void answersLateOnDemand() {
        fails("{\"delay\":\"700ms\"}");
        assertThat(fault("delay")).isEqualTo(0.7);
        long start = System.nanoTime();

        boolean oneAtATime = deviations().contains(ResponderDeviation.ANSWERS_ONE_AT_A_TIME);
        int requests = oneAtATime ? 2 : MANY;
        answersEachWithItsOwnSquare(requests);

        Duration took = Duration.ofNanos(System.nanoTime() - start);
        Duration oneAfterTheOther = Duration.ofMillis(700).multipliedBy(requests);
        assertThat(took).isGreaterThanOrEqualTo(oneAtATime ? oneAfterTheOther : Duration.ofMillis(700));
        if (!oneAtATime) {
            assertThat(took).isLessThan(oneAfterTheOther);
        }
    }

    @Test
    void isSilentOnDemand() {
        int dropped = service.squares("dropped");
        fails("{\"drop\":1}");
        assertThat(fault("drop")).isEqualTo(1);

        CompletableFuture<Requester.Answer> answer = ask(3);

        await().atMost(PATIENCE).until(() -> service.squares("dropped") == dropped + 1);
        assertThat(answer).isNotDone();
    }

    @Test
    void answersWrongOnDemandAndRightAgain() {
        int wrong = service.squares("wrong");
        fails("{\"wrong\":1}");
        assertThat(fault("wrong")).isEqualTo(1);

        assertThat(ask(3)).succeedsWithin(PATIENCE).isEqualTo(Requester.Answer.square(10));
        assertThat(service.squares("wrong")).isEqualTo(wrong + 1);

        fails("{\"wrong\":0}");
        assertThat(ask(3)).succeedsWithin(PATIENCE).isEqualTo(Requester.Answer.square(9));
    }

    @Test
    void showsItsFaultsAndKeepsWhatAChangeLeavesOut() {
        assertThat(shownFaults()).isEqualTo(NO_FAULTS);

        HttpResponse<String> answer = service.putFaults("{\"delay\":\"20ms\",\"wrong\":0.25}");
        assertThat(answer.headers().firstValue("content-type")).hasValue("application/json");
        assertThat(members(answer)).isEqualTo(shownFaults());
        fails("{\"drop\":0.5}");
        fails("{}");

        assertThat(shownFaults()).isEqualTo(Map.of("delay", "PT0.02S", "drop", 0.5, "wrong", 0.25));
    }

    @Test
    void logsEachChangeOfItsFaults() {
        long on = loggedSoFar(service, "fails on demand");
        long off = loggedSoFar(service, "no longer fails on demand");

        fails("{\"delay\":\"1ms\"}");
        fails("{\"delay\":\"2ms\"}");
        awaitLogged(service, "fails on demand", on + 2);

        fails("{\"delay\":\"PT0S\"}");
        awaitLogged(service, "no longer fails on demand", off + 1);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "null",
                "[]",
                "delay=20ms",
                "{\"delay\":20}",
                "{\"delay\":\"soon\"}",
                "{\"delay\":\"-1s\"}",
                "{\"delay\":\"2h\"}",
                "{\"delay\":null}",
                "{\"drop\":1.5}",
                "{\"drop\":-0.1}",
                "{\"drop\":\"0.5\"}",
                "{\"drop\":true}",
                "{\"wrong\":1e400}",
                "{\"wrong\":NaN}",
                "{\"delay\":\"1ms\",\"drop\":0.5,\"wrong\":2}",
                "{\"delay\":\"1ms\",\"freeze\":1}"
            })
    void refusesFaultsThatCannotBeAndKeepsThoseThatStand(String body) {
        fails("{\"delay\":\"3ms\"}");

        HttpResponse<String> answer = service.putFaults(body);

        assertThat(answer.statusCode()).isEqualTo(400);
        assertThat(answer.headers().firstValue("content-type")).hasValue("application/problem+json");
        assertThat(members(answer)).containsEntry("status", 400).containsKey("detail");
        assertThat(shownFaults()).isEqualTo(Map.of("delay", "PT0.003S", "drop", 0.0, "wrong", 0.0));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "Bearer", "Bearer wrong", "Basic " + ResponderProcess.TOKEN, ResponderProcess.TOKEN})
    void hasNoFaultsForWhomeverHasNotItsToken(String authorization) {
        assertThat(service.faults("GET", "", authorization).statusCode()).isEqualTo(404);
        assertThat(service.faults("PUT", "{\"drop\":1}", authorization).statusCode())
                .isEqualTo(404);
        assertThat(shownFaults()).isEqualTo(NO_FAULTS);
    }

    @Test
    void takesNameAddressAndFaultsAtItsStartAndStopsAtOnce() {
        Map<String, String> faults = Map.of("CHATTERBOX_FAULTS_DELAY", "300ms", "CHATTERBOX_FAULTS_WRONG", "1");
        int ok = service.squares("ok");

        try (ResponderProcess other = another("other-responder", elsewhere(), faults);
                Requester stranger = requester(other)) {
            awaitHealth(other, 200);
            long start = System.nanoTime();
            assertThat(stranger.ask(3)).succeedsWithin(PATIENCE).isEqualTo(Requester.Answer.square(10));
            assertThat(Duration.ofNanos(System.nanoTime() - start)).isGreaterThanOrEqualTo(Duration.ofMillis(300));
            assertThat(other.squares("wrong")).isEqualTo(1);
            awaitLogged(other, "fails on demand", 1);
            assertThat(other.process().pid()).satisfies(ResponderKit::bearsItsName);

            assertThat(ask(4)).succeedsWithin(PATIENCE).isEqualTo(Requester.Answer.square(16));
            assertThat(service.squares("ok")).isEqualTo(ok + 1);
            assertThat(other.squares("wrong")).isEqualTo(1);

            // Without a token nobody may set faults, even with an empty token.
            assertThat(other.faults("GET", "", "Bearer ").statusCode()).isEqualTo(404);
            assertThat(other.faults("PUT", "{\"drop\":1}", "Bearer ").statusCode())
                    .isEqualTo(404);
            stopsAtOnce(other);
        }
    }

    /** @param awaitArrivals returns when everything has arrived that was sent over a requester's connection before */
    protected void answersWhatItTookBeforeItStops(Consumer<? super Requester> awaitArrivals) {
        Map<String, String> late = Map.of("CHATTERBOX_FAULTS_DELAY", "500ms");
        try (ResponderProcess other = another("other-responder", Map.of(), late);
                Requester stranger = requester(other)) {
            List<CompletableFuture<Requester.Answer>> answers =
                    IntStream.rangeClosed(1, 100).mapToObj(stranger::ask).toList();
            awaitArrivals.accept(stranger);

            other.close();

            assertThat(answers).allSatisfy(answer -> assertThat(answer).isCompleted());
            assertThat(other.logged("were not answered")).isZero();
        }
    }

    /** Other processes see the responder's name in its command line, if this system shows command lines. */
    private static void bearsItsName(long pid) {
        ProcessHandle.of(pid)
                .flatMap(handle -> handle.info().commandLine())
                .ifPresent(command -> assertThat(command).contains("chatterbox.process=other-responder"));
    }

    private Map<String, Object> shownFaults() {
        return members(service.faults("GET", "", "Bearer " + ResponderProcess.TOKEN));
    }

    /** The members of an answer that is a JSON object. */
    @SuppressWarnings("unchecked")
    protected static Map<String, Object> members(HttpResponse<String> answer) {
        return JSON.readValue(answer.body(), Map.class);
    }
}

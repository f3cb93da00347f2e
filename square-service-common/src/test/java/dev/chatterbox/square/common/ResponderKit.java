package dev.chatterbox.square.common;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.Arrays;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What holds for every square service, over its real transport. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
public abstract class ResponderKit {

    /** Long enough for a loaded machine; what must be faster says so. */
    protected static final Duration PATIENCE = Duration.ofSeconds(20);

    private final Class<?> application;
    private final String[] address;
    private String[] faults = {};

    /** The service that most tests share; started again only where a test wants other settings. */
    protected @Nullable RunningService service;

    protected @Nullable Requester requester;

    /** @param address the settings by which the service finds its broker */
    protected ResponderKit(Class<?> application, String... address) {
        this.application = application;
        this.address = address;
    }

    /** Opens a client of the transport. */
    protected abstract Requester requester(RunningService service);

    /** Starts one more service over the same broker. */
    protected RunningService another(String... settings) {
        return RunningService.start(
                application,
                Stream.concat(Stream.of(address), Stream.of(settings)).toArray(String[]::new));
    }

    @BeforeEach
    void startService() {
        serviceWith();
    }

    @AfterEach
    protected void closeRequester() {
        if (requester != null) {
            requester.close();
        }
        requester = null;
    }

    @AfterAll
    protected void stopService() {
        closeRequester();
        if (service != null) {
            service.close();
        }
        service = null;
    }

    private void serviceWith(String... settings) {
        if (service == null || !Arrays.equals(settings, faults)) {
            stopService();
            service = another(settings);
            faults = settings;
        }
        closeRequester();
        requester = requester(service);
        await().atMost(PATIENCE).until(() -> service.health() == 200);
    }

    protected CompletableFuture<Requester.Answer> ask(int number) {
        return requester.ask(number);
    }

    /** Asks again until there is an answer: right after a start or an outage a request may have nobody to reach. */
    protected void awaitAnswers(Duration atMost) {
        await().atMost(atMost)
                .pollInterval(Duration.ofMillis(100))
                .ignoreExceptions()
                .untilAsserted(() -> assertThat(ask(3).get(1, TimeUnit.SECONDS)).isEqualTo(Requester.Answer.square(9)));
    }

    /** Stops the shared service: at once, whatever has become of its broker, and without leaving a thread. */
    protected void stopsAtOnce(Predicate<String> threadName) {
        RunningService stopping = service;
        service = null;
        closeRequester();
        stopsAtOnce(stopping, threadName);
    }

    protected static void stopsAtOnce(RunningService stopping, Predicate<String> threadName) {
        long start = System.nanoTime();
        stopping.close();
        assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(Duration.ofSeconds(5));
        await().atMost(PATIENCE)
                .untilAsserted(() -> assertThat(Thread.getAllStackTraces().keySet())
                        .extracting(Thread::getName)
                        .noneMatch(threadName));
    }

    @ParameterizedTest
    @CsvSource({"1,1", "46341,2147488281", "2147483647,4611686014132420609"})
    void squares(int number, long square) {
        assertThat(ask(number)).succeedsWithin(PATIENCE).isEqualTo(Requester.Answer.square(square));
    }

    @ParameterizedTest
    @ValueSource(ints = {0, -1, Integer.MIN_VALUE})
    void refusesWhatIsNoValidNumberAndSaysWhatIs(int number) {
        assertThat(ask(number)).succeedsWithin(PATIENCE).satisfies(answer -> {
            assertThat(answer.code()).isEqualTo(400);
            assertThat(answer.text()).contains("1 to 2147483647", "" + number);
        });
    }

    @Test
    void answersManyAtOnceEachWithItsOwnSquare() {
        for (CompletableFuture<Void> checked : Stream.iterate(1, number -> number + 1)
                .limit(500)
                .map(number -> ask(number)
                        .thenAccept(answer ->
                                assertThat(answer).isEqualTo(Requester.Answer.square((long) number * number))))
                .toList()) {
            assertThat(checked).succeedsWithin(PATIENCE);
        }
    }

    @Test
    void countsByOutcome() {
        int ok = service.squares("ok");
        int invalid = service.squares("invalid");

        assertThat(ask(2)).succeedsWithin(PATIENCE);
        assertThat(ask(3)).succeedsWithin(PATIENCE);
        assertThat(ask(0)).succeedsWithin(PATIENCE);

        assertThat(service.squares("ok")).isEqualTo(ok + 2);
        assertThat(service.squares("invalid")).isEqualTo(invalid + 1);
    }

    @ParameterizedTest
    @ValueSource(strings = {"health", "prometheus", "info"})
    void opens(String endpoint) {
        assertThat(service.get("/actuator/" + endpoint).statusCode()).isEqualTo(200);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "/env", "/beans", "/metrics", "/heapdump", "/loggers", "/shutdown"})
    void keepsClosedWhatNobodyNeeds(String endpoint) {
        assertThat(service.get("/actuator" + endpoint).statusCode()).isEqualTo(404);
    }

    @Test
    void answersLateOnDemand() {
        serviceWith("chatterbox.faults.delay=700ms");
        assertThat(service.get("/actuator/info").body()).contains("\"delay\":\"PT0.7S\"");
        long start = System.nanoTime();

        CompletableFuture<Requester.Answer> first = ask(3);
        CompletableFuture<Requester.Answer> second = ask(4);

        assertThat(first).succeedsWithin(PATIENCE).isEqualTo(Requester.Answer.square(9));
        assertThat(Duration.ofNanos(System.nanoTime() - start)).isGreaterThanOrEqualTo(Duration.ofMillis(700));
        assertThat(second).succeedsWithin(Duration.ofMillis(500)).isEqualTo(Requester.Answer.square(16));
    }

    @Test
    void isSilentOnDemand() {
        serviceWith("chatterbox.faults.drop=1");
        assertThat(service.get("/actuator/info").body()).contains("\"drop\":1.0");

        CompletableFuture<Requester.Answer> answer = ask(3);

        await().atMost(PATIENCE).until(() -> service.squares("dropped") == 1);
        assertThat(answer).isNotDone();
    }

    @Test
    void answersWrongOnDemand() {
        serviceWith("chatterbox.faults.wrong=1");
        assertThat(service.get("/actuator/info").body()).contains("\"wrong\":1.0");

        assertThat(ask(3)).succeedsWithin(PATIENCE).isEqualTo(Requester.Answer.square(10));
        assertThat(service.squares("wrong")).isEqualTo(1);
    }
}

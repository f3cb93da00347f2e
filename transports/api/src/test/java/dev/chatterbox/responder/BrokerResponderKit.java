package dev.chatterbox.responder;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.chatterbox.brokers.RunningBroker;
import dev.chatterbox.processes.ProcessException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Further checks, of every responder behind a broker. */
public abstract class BrokerResponderKit extends ResponderKit {

    private final RunningBroker broker;

    protected BrokerResponderKit(Path folder, String name, Map<String, String> address, RunningBroker broker) {
        this(folder, name, address, Map.of(), broker);
    }

    /** @param environment of the responder, without the address of its broker */
    protected BrokerResponderKit(
            Path folder,
            String name,
            Map<String, String> address,
            Map<String, String> environment,
            RunningBroker broker) {
        super(folder, name, address, join(environment, broker.environment()));
        this.broker = broker;
    }

    private static Map<String, String> join(Map<String, String> some, Map<String, String> more) {
        Map<String, String> all = new HashMap<>(some);
        all.putAll(more);
        return all;
    }

    @AfterEach
    void restartBroker() {
        if (!broker.process().isAlive()) {
            broker.restart();
        }
    }

    /** Waits, after a responder has joined or left, until the remaining one answers everything again. */
    private void awaitThatOneAnswersAll() {
        await().atMost(PATIENCE).ignoreExceptions().untilAsserted(() -> answersEachWithItsOwnSquare(100));
    }

    @Test
    void sharesTheWorkWithASecondResponderThatAnswersAllThatItTookBeforeItStops() {
        try (ResponderProcess second = another()) {
            awaitHealth(second, 200);
            answersEachWithItsOwnSquare(10);
            int ofFirst = service.squares("ok");
            int ofSecond = second.squares("ok");

            answersEachWithItsOwnSquare(1000);

            assertThat(service.squares("ok")).isGreaterThan(ofFirst);
            assertThat(second.squares("ok")).isGreaterThan(ofSecond);
            assertThat(service.squares("ok") + second.squares("ok"))
                    .as("each request was answered once")
                    .isEqualTo(ofFirst + ofSecond + 1000);

            stopsWithoutLeavingARequest(second);
        }
        awaitThatOneAnswersAll();
    }

    /** So many requests are on their way while a responder stops. */
    protected int burst() {
        return 20_000;
    }

    private void stopsWithoutLeavingARequest(ResponderProcess second) {
        List<CompletableFuture<Requester.Answer>> answers = new ArrayList<>();
        Thread stop = new Thread(second::close, "stop");
        for (int number = 1; number <= burst(); number++) {
            answers.add(ask(number));
            if (number == burst() / 4) {
                stop.start();
            }
        }
        assertThat(CompletableFuture.allOf(answers.toArray(CompletableFuture[]::new)))
                .succeedsWithin(PATIENCE);
        await().atMost(PATIENCE).until(() -> !stop.isAlive());
    }

    /** Whether a request stays with the broker until its answer does. */
    protected boolean keepsUnansweredRequests() {
        return false;
    }

    @Test
    void answersLaterWhatAResponderThatDiedHadNotAnswered() {
        assumeTrue(keepsUnansweredRequests(), "a request is gone when a responder has taken it");
        Map<String, String> token = Map.of("CHATTERBOX_FAULTS_TOKEN", ResponderProcess.TOKEN);
        ResponderProcess dying = another("dying-responder", elsewhere(), token);
        awaitHealth(dying, 200);
        try (Requester ofDying = requester(dying)) {
            awaitAnswers(ofDying, PATIENCE);
            dying.putFaults("{\"delay\":\"5m\"}");
            CompletableFuture<Requester.Answer> answer = ofDying.ask(7);
            // It had the time to tell the broker that it has taken the request.
            await().pollDelay(Duration.ofSeconds(8)).until(() -> true);
            dying.process().stop(Duration.ZERO);

            try (ResponderProcess successor = another("successor", elsewhere(), token)) {
                assertThat(answer).succeedsWithin(PATIENCE).isEqualTo(Requester.Answer.square(49));
            }
        }
    }

    /**
     * All in one test, because a broker takes its time to start again. How long a responder takes,
     * {@code ./chatterbox resilience} judges: on a busy machine a JVM alone takes more than its ten seconds.
     */
    @Tag("long")
    @Test
    void isDownWithoutItsBrokerAnswersAgainAfterItsReturnAndStopsAtOnceWithoutIt() {
        broker.kill();
        if (deviations().contains(ResponderDeviation.SHOWS_NO_OUTAGE)) {
            assertThat(service.health()).isEqualTo(200);
            broker.restart();
            awaitAnswers(requester, PATIENCE);
            return;
        }
        awaitHealth(service, 503);
        assertThat(service.healthDetails()).contains("127.0.0.1:" + broker.port());
        try (ResponderProcess early = another("early-responder", elsewhere(), Map.of())) {
            assertThat(early.health()).isEqualTo(503);

            broker.restart();

            awaitAnswers(requester, PATIENCE);
            try (Requester first = requester(early)) {
                awaitAnswers(first, PATIENCE);
            }
            // A responder with several sources of requests may answer requests of the first before it has the last.
            for (ResponderProcess responder : List.of(service, early)) {
                awaitHealth(responder, 200);
            }

            broker.kill();
            stopsAtOnce(early);
        }
    }

    @Tag("long")
    @Test
    void startsAndStopsWhereItsBrokersNameIsUnknown() {
        Map<String, String> unknown = new HashMap<>(broker.environment());
        unknown.replaceAll((variable, value) -> value.replace("127.0.0.1", "no-such-host.invalid"));
        if (deviations().contains(ResponderDeviation.SHOWS_NO_OUTAGE)) {
            // The HTTP server of the responder may answer once before it ends.
            assertThatThrownBy(() -> another("lost-responder", elsewhere(), unknown)
                            .process()
                            .awaitReady(() -> false, PATIENCE))
                    .isInstanceOf(ProcessException.class)
                    .hasMessageContaining("ended");
            return;
        }
        ResponderProcess elsewhere = another("lost-responder", elsewhere(), unknown);
        assertThat(elsewhere.health()).isEqualTo(503);
        stopsAtOnce(elsewhere);
    }
}

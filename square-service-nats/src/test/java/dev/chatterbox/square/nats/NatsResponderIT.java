package dev.chatterbox.square.nats;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.chatterbox.brokers.NatsServer;
import dev.chatterbox.brokers.RunningBroker;
import dev.chatterbox.square.common.Requester;
import dev.chatterbox.square.common.ResponderKit;
import dev.chatterbox.square.common.RunningService;
import dev.chatterbox.square.common.Wire;
import io.nats.client.Connection;
import io.nats.client.Message;
import io.nats.client.Subscription;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

@ExtendWith(OutputCaptureExtension.class)
class NatsResponderIT extends ResponderKit {

    private static final RunningBroker server = new NatsServer().start();

    NatsResponderIT() {
        super(SquareServiceNats.class, "nats.server=nats://127.0.0.1:" + server.port());
    }

    @Override
    protected Requester requester(RunningService service) {
        return BareNatsClient.connect(server.port());
    }

    private BareNatsClient client() {
        return (BareNatsClient) requester;
    }

    static List<byte[]> bodiesThatAreNoRequest() {
        return List.of(
                new byte[] {(byte) 0xFF, 1, 2},
                "5".getBytes(StandardCharsets.US_ASCII),
                new byte[0],
                // A field that nobody knows, and no number.
                new byte[] {0x18, 5});
    }

    @ParameterizedTest
    @MethodSource("bodiesThatAreNoRequest")
    void refusesWhatIsNoRequestAndGoesOn(byte[] body) {
        assertThat(client().send(body)).succeedsWithin(PATIENCE).satisfies(reply -> {
            assertThat(reply.getHeaders().getFirst("Nats-Service-Error-Code")).isEqualTo("400");
            assertThat(reply.getHeaders().getFirst("Nats-Service-Error")).isNotBlank();
            assertThat(reply.getData()).isEmpty();
        });
        assertThat(ask(3)).succeedsWithin(PATIENCE).isEqualTo(Requester.Answer.square(9));
    }

    @Test
    void countsARequestThatNobodyWaitsForAndGoesOn() {
        int invalid = service.squares("invalid");

        client().connection().publish(BareNatsClient.SUBJECT, Wire.input(3));
        client().connection().publish(BareNatsClient.SUBJECT, new byte[] {1});

        await().atMost(PATIENCE).until(() -> service.squares("invalid") == invalid + 2);
        assertThat(ask(3)).succeedsWithin(PATIENCE).isEqualTo(Requester.Answer.square(9));
    }

    @Test
    void goesOnAfterAReplySubjectThatCannotBe() {
        client().connection().publish(BareNatsClient.SUBJECT, "a..b", Wire.input(3));
        client().connection().publish(BareNatsClient.SUBJECT, ".", new byte[] {1});

        assertThat(ask(3)).succeedsWithin(PATIENCE).isEqualTo(Requester.Answer.square(9));
    }

    @Test
    void logsAnInvalidRequestOnce(CapturedOutput output) {
        stopService();
        try (RunningService fresh = another();
                Requester requester = requester(fresh)) {
            await().atMost(PATIENCE).until(() -> fresh.health() == 200);
            assertThat(requester.ask(0)).succeedsWithin(PATIENCE);
            assertThat(requester.ask(-1)).succeedsWithin(PATIENCE);
        }
        assertThat(output.getOut().split("An invalid request over nats", -1)).hasSize(2);
    }

    @ParameterizedTest
    @ValueSource(strings = {"PING", "INFO", "STATS"})
    void describesItselfByTheServicesConvention(String verb) {
        assertThat(ask(3)).succeedsWithin(PATIENCE);

        CompletableFuture<Message> reply = client().connection().request("$SRV." + verb + ".square-service", null);

        assertThat(reply).succeedsWithin(PATIENCE);
        assertThat(new String(reply.join().getData(), StandardCharsets.UTF_8))
                .contains("\"type\":\"io.nats.micro.v1." + verb.toLowerCase() + "_response\"")
                .contains("\"name\":\"square-service\"")
                .contains(verb.equals("PING") ? "\"id\"" : "\"subject\":\"nats.square.service\"");
    }

    @Test
    void sharesTheWorkWithASecondResponderEachRequestAnsweredOnce() throws InterruptedException {
        try (RunningService second = another()) {
            await().atMost(PATIENCE).until(() -> second.health() == 200);
            int before = service.squares("ok");
            Connection connection = client().connection();
            Subscription inbox = connection.subscribe("test.inbox.*");

            IntStream.rangeClosed(1, 1000)
                    .forEach(number ->
                            connection.publish(BareNatsClient.SUBJECT, "test.inbox." + number, Wire.input(number)));

            await().atMost(PATIENCE).until(() -> inbox.getPendingMessageCount() >= 1000);
            boolean[] answered = new boolean[1001];
            for (Message reply = inbox.nextMessage(PATIENCE); reply != null; reply = inbox.nextMessage(100)) {
                int number = Integer.parseInt(reply.getSubject().substring("test.inbox.".length()));
                assertThat(answered[number])
                        .as("%d was answered before", number)
                        .isFalse();
                assertThat(Wire.output(reply.getData(), number))
                        .isEqualTo(Requester.Answer.square((long) number * number));
                answered[number] = true;
            }
            assertThat(IntStream.rangeClosed(1, 1000)).allMatch(number -> answered[number]);
            assertThat(second.squares("ok")).isPositive();
            assertThat(service.squares("ok") - before).isPositive();
            assertThat(service.squares("ok") - before + second.squares("ok")).isEqualTo(1000);
        }
    }

    @Test
    void answersAllThatItTookBeforeItStops() {
        RunningService second = another();
        await().atMost(PATIENCE).until(() -> second.health() == 200);
        List<CompletableFuture<Requester.Answer>> answers = new java.util.ArrayList<>();
        Thread stop = new Thread(second::close, "stop");

        for (int number = 1; number <= 20_000; number++) {
            answers.add(ask(number));
            if (number == 5_000) {
                stop.start();
            }
        }

        assertThat(CompletableFuture.allOf(answers.toArray(CompletableFuture[]::new)))
                .succeedsWithin(PATIENCE);
        await().atMost(PATIENCE).until(() -> !stop.isAlive());
    }

    @AfterEach
    void restartServer() {
        if (!server.process().isAlive()) {
            server.restart();
        }
    }

    @Test
    void isDownWithoutItsServerAndAnswersAgainWithinTenSeconds() {
        server.kill();
        await().atMost(PATIENCE).until(() -> service.health() == 503);
        assertThat(service.get("/actuator/health").body())
                .contains("not connected to nats://127.0.0.1:" + server.port());

        server.restart();

        awaitAnswers(Duration.ofSeconds(10));
        assertThat(service.health()).isEqualTo(200);
    }

    @Test
    void stopsAtOnceWhenItsServerHasDied() {
        server.kill();
        stopsAtOnce(NatsResponderIT::isOfNats);
    }

    @Test
    void startsAndStopsBeforeItsServer() {
        stopService();
        server.kill();
        stopsAtOnce(another(), NatsResponderIT::isOfNats);
        try (RunningService early = another()) {
            assertThat(early.health()).isEqualTo(503);

            server.restart();

            requester = requester(early);
            awaitAnswers(Duration.ofSeconds(10));
            assertThat(early.health()).isEqualTo(200);
        }
    }

    @Test
    void startsAndStopsWhereItsServersNameIsUnknown() {
        stopService();
        RunningService lost =
                RunningService.start(SquareServiceNats.class, "nats.server=nats://no-such-host.invalid:4222");
        assertThat(lost.health()).isEqualTo(503);
        stopsAtOnce(lost, NatsResponderIT::isOfNats);
    }

    private static boolean isOfNats(String threadName) {
        return threadName.startsWith("nats");
    }
}

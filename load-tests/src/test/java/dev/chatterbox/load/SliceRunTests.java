package dev.chatterbox.load;

import static org.assertj.core.api.Assertions.assertThat;

import com.typesafe.scalalogging.Logger;
import dev.chatterbox.workloads.Slice;
import dev.chatterbox.workloads.SliceResult;
import dev.chatterbox.workloads.Workload;
import io.gatling.core.CoreComponents;
import io.gatling.core.action.Action;
import io.gatling.core.session.Session;
import io.gatling.core.session.Session$;
import io.gatling.core.structure.ScenarioContext;
import io.gatling.http.response.ByteArrayResponseBody;
import io.gatling.http.response.Response;
import io.netty.channel.DefaultEventLoopGroup;
import io.netty.handler.codec.http.DefaultHttpHeaders;
import io.netty.handler.codec.http.HttpResponseStatus;
import java.nio.charset.StandardCharsets;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.stream.LongStream;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Runs slices by residents on event loops of their own, with a timer in place of a server. */
@Timeout(60)
@SuppressWarnings("NullAway") // Gatling has more parts than these tests need
class SliceRunTests {

    private static final byte[] ANSWER = "[{\"1\":1}]".getBytes(StandardCharsets.UTF_8);
    private static final long TIMEOUT_NANOS = TimeUnit.SECONDS.toNanos(5);

    private final DefaultEventLoopGroup loops = new DefaultEventLoopGroup(2);
    private final Residents residents = new Residents();
    private final Set<Long> usersSeen = ConcurrentHashMap.newKeySet();
    private final ConcurrentLinkedQueue<Long> sent = new ConcurrentLinkedQueue<>();
    /** When each request should have been sent. */
    private final ConcurrentLinkedQueue<Long> intended = new ConcurrentLinkedQueue<>();

    private final AtomicLong leastLate = new AtomicLong(Long.MAX_VALUE);
    private final AtomicInteger atOnce = new AtomicInteger();
    private final AtomicInteger mostAtOnce = new AtomicInteger();
    private final CountDownLatch left = new CountDownLatch(6);
    private volatile long answerMillis = 1;
    private volatile int status = 200;
    private volatile int slowRequest;

    SliceRunTests() {
        Action exit = new FakeAction(session -> left.countDown());
        Action request = new FakeAction(session -> {
            long now = System.nanoTime();
            long late =
                    Resident.of(new io.gatling.javaapi.core.Session(session)).latencyNanos(now);
            intended.add(now - late);
            leastLate.accumulateAndGet(late, Math::min);
            sent.add(now);
            long millis = sent.size() == slowRequest ? 300 : answerMillis;
            usersSeen.add(session.userId());
            mostAtOnce.accumulateAndGet(atOnce.incrementAndGet(), Math::max);
            session.eventLoop().schedule(() -> answer(session), millis, TimeUnit.MILLISECONDS);
        });
        residents.build(
                new ScenarioContext(
                        new CoreComponents(null, null, null, null, null, null, exit, null), null, null, false),
                request);
    }

    private void answer(Session session) {
        atOnce.decrementAndGet();
        DefaultHttpHeaders headers = new DefaultHttpHeaders();
        headers.add("Content-Type", "application/json").add("Content-Length", ANSWER.length);
        Resident.of(new io.gatling.javaapi.core.Session(session))
                .answered(new Response(
                        null,
                        0,
                        0,
                        HttpResponseStatus.valueOf(status),
                        headers,
                        new ByteArrayResponseBody(ANSWER, StandardCharsets.UTF_8),
                        null,
                        false));
        residents.$bang(session);
    }

    private record FakeAction(Consumer<Session> what) implements Action {

        @Override
        public void execute(Session session) {
            what.accept(session);
        }

        @Override
        public String name() {
            return "fake";
        }

        @Override
        public Logger logger() {
            return Logger.apply(SliceRunTests.class);
        }

        @Override
        public void com$typesafe$scalalogging$StrictLogging$_setter_$logger_$eq(Logger logger) {}
    }

    @AfterEach
    void stop() {
        loops.shutdownGracefully(0, 0, TimeUnit.SECONDS);
    }

    @Test
    void makesExactlySoManyRequestsByExactlySoManyUsers() {
        arrive(12);

        SliceResult result = run("users=10", 205, 0).start().join();

        assertThat(result.right()).isEqualTo(205);
        assertThat(result.failed()).isZero();
        assertThat(sent).hasSize(205);
        assertThat(mostAtOnce).hasValue(10);
        assertThat(usersSeen).hasSize(10);
        assertThat(result.latency().getTotalCount()).isEqualTo(205);
        assertThat(result.seconds()).isPositive();
        assertThat(result.unansweredNanos()).isZero();
    }

    /** Otherwise a slice of slow requests would look faster than it is. */
    @Test
    void lastsUntilTheLastAnswerWhereAUserIsIdleEarlierAndCountsAllRequests() {
        arrive(2);
        slowRequest = 3;

        SliceResult result = run("users=2", 3, 0).start().join();

        assertThat(result.right()).isEqualTo(3);
        assertThat(result.seconds()).isGreaterThanOrEqualTo(0.3);
    }

    @Test
    void givesTheSameUsersTheNextSlice() {
        arrive(12);

        run("users=3", 30, 0).start().join();
        run("users=3", 30, 0).start().join();

        assertThat(usersSeen).hasSize(3);
    }

    @Test
    void waitsForUsersThatHaveNotArrived() {
        var result = run("users=4", 40, 0).start();
        arrive(4);

        assertThat(result.join().right()).isEqualTo(40);
        assertThat(mostAtOnce).hasValue(4);
    }

    @Test
    void endsWhenItsSecondsAreOver() {
        arrive(2);

        long begun = System.nanoTime();
        SliceResult result = run("users=2", 0, 0.5).start().join();

        assertThat(result.seconds()).isBetween(0.5, (System.nanoTime() - begun) / 1e9);
        assertThat(result.right()).isEqualTo(sent.size()).isGreaterThan(2);
    }

    @Test
    void beginsNoRequestAfterStop() {
        arrive(2);
        answerMillis = 50;
        SliceRun closed = run("users=1", 0, 1000);
        SliceRun open = run("rate=10", 0, 1000);
        var results = List.of(closed.start(), open.start());
        while (sent.size() < 3) {
            Thread.onSpinWait();
        }
        closed.stop();
        open.stop();

        assertThat(results.get(0).join().right() + results.get(1).join().right())
                .isEqualTo(sent.size());
    }

    @Test
    void anOpenSliceThatIsStoppedBeforeItsFirstRequestHasNoLength() {
        SliceRun open = run("rate=10", 0, 1000);
        open.stop();

        assertThat(open.start().join().seconds()).isZero();
    }

    @Test
    void sendsEachRequestOfTheOpenModelAtItsTime() {
        arrive(20);

        SliceResult result = run("rate=200", 60, 0).start().join();

        assertThat(result.right()).isEqualTo(60);
        assertThat(leastLate.get()).as("nanoseconds").isNotNegative();
        // A request that is late on a busy machine delays none of the others.
        long first = Collections.min(intended);
        assertThat(intended.stream().map(time -> time - first).sorted())
                .containsExactlyElementsOf(
                        LongStream.range(0, 60).mapToObj(k -> k * 5_000_000).toList());
    }

    @Test
    void servesALowRateByOneUser() {
        arrive(20);

        // The time between two requests is longer than a pause of a busy machine.
        run("rate=2", 3, 0).start().join();

        assertThat(usersSeen).hasSize(1);
    }

    @Test
    void countsTheWaitForAFreeUser() {
        arrive(1);
        answerMillis = 50;

        SliceResult result = run("rate=100", 10, 0).start().join();

        Histogram latency = result.latency();
        assertThat(result.right()).isEqualTo(10);
        assertThat(latency.getMinValue() / 1e6).isGreaterThanOrEqualTo(49);
        // The tenth request should start 90 ms after the first, but nine answers of 50 ms or more come before its own.
        assertThat((latency.getMaxValue() - latency.getMinValue()) / 1e6).isGreaterThan(350);
    }

    @Test
    void entersARequestThatFoundNoUserWithItsAge() {
        arrive(1);
        answerMillis = 1500;

        long begun = System.nanoTime();
        SliceResult result = run("rate=4", 0, 1).start().join();
        double lasted = (System.nanoTime() - begun) / 1e6;

        assertThat(sent).hasSize(1);
        assertThat(result.right()).isEqualTo(1);
        assertThat(result.failures()).containsOnlyKeys("unsent").containsValue(3L);
        assertThat(result.unansweredNanos() / 1e6)
                .as("meant for 750 ms, given up after 1500 ms")
                .isBetween(750.0, lasted);
        assertThat(result.latency().getTotalCount()).isEqualTo(4);
    }

    @Test
    void pausesAfterAFailureInTheClosedModel() {
        arrive(1);
        status = 503;

        SliceResult result = run("users=1", 3, 0).start().join();

        assertThat(result.failures()).isEqualTo(Map.of("http-503", 3L));
        assertThat(result.seconds()).isGreaterThan(0.2);
    }

    @Test
    void twoSlicesAtTheSameTimeShareTheUsersAndNothingElse() {
        arrive(7);

        var one = run("users=4", 100, 0).start();
        var other = run("users=3", 50, 0).start();

        assertThat(one.join().right()).isEqualTo(100);
        assertThat(other.join().right()).isEqualTo(50);
        assertThat(mostAtOnce.get()).isLessThanOrEqualTo(7);
    }

    @Test
    void everyUserLeavesWhenTheRunIsOver() throws InterruptedException {
        arrive(5);
        run("users=2", 10, 0).start().join();

        residents.close();
        arrive(1);

        left.await();
    }

    private void arrive(int users) {
        for (int user = 0; user < users; user++) {
            residents.$bang(Session$.MODULE$.apply("residents", user, loops.next()));
        }
        // They arrive on their event loops: this waits until the last one has.
        loops.forEach(loop -> loop.submit(() -> {}).syncUninterruptibly());
    }

    private SliceRun run(String load, long requests, double seconds) {
        Slice slice = new Slice("1", "right", Workload.parse("calls=1 " + load), requests, seconds);
        return new SliceRun(slice, "http://localhost", new ExpectedAnswer(1), TIMEOUT_NANOS, residents);
    }
}

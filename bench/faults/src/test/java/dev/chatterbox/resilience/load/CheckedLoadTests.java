package dev.chatterbox.resilience.load;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.chatterbox.processes.ProcessException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionFactory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Tests the load with a server that answers in every possible way. */
class CheckedLoadTests {

    private static final Duration PATIENCE = Duration.ofMinutes(1);

    private final ExecutorService executor = Executors.newCachedThreadPool();
    private final AtomicInteger answering = new AtomicInteger();
    private final AtomicInteger mostAtOnce = new AtomicInteger();
    private RequestRecorder recorder = new RequestRecorder();
    private HttpServer server;

    @BeforeEach
    void start() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.setExecutor(executor);
        server.createContext("/right", exchange -> answer(exchange, 200, "[{\"1\":1},{\"2\":4},{\"3\":9}]"));
        server.createContext("/slow", exchange -> {
            mostAtOnce.accumulateAndGet(answering.incrementAndGet(), Math::max);
            LockSupport.parkNanos(300_000_000);
            answering.decrementAndGet();
            answer(exchange, 200, "[{\"1\":1},{\"2\":4},{\"3\":9}]");
        });
        server.createContext("/wrong", exchange -> answer(exchange, 200, "[{\"1\":1},{\"2\":4},{\"3\":10}]"));
        server.createContext("/short", exchange -> answer(exchange, 200, "[{\"1\":1},{\"2\":4}]"));
        server.createContext("/away", exchange -> answer(exchange, 503, "{\"detail\":\"no broker at port 4222\"}"));
        server.createContext("/cut", exchange -> {
            exchange.sendResponseHeaders(200, 29);
            exchange.getResponseBody().write('[');
            // This ends the connection, because the rest of the answer is missing.
            exchange.close();
        });
        server.start();
    }

    @AfterEach
    void stop() {
        server.stop(0);
        executor.shutdownNow();
    }

    private static void answer(HttpExchange exchange, int status, String body) throws IOException {
        try (exchange) {
            assertThat(exchange.getRequestURI().getPath()).endsWith("/square/unary/3");
            byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
            exchange.sendResponseHeaders(status, bytes.length);
            exchange.getResponseBody().write(bytes);
        }
    }

    @Test
    void countsRightAnswersAndIsWellAfterASecondOfThem() throws InterruptedException {
        try (CheckedLoad load = new CheckedLoad(port(), 3)) {
            recorder = load.users("right", 2);
            assertThat(recorder.isWell()).isFalse();
            await().until(recorder::isWell);
        }
        RequestCounts counts = recorder.counts();
        assertThat(counts.right()).isGreaterThan(10);
        assertThat(counts.wrong()).isZero();
        assertThat(counts.failed()).isZero();
        assertThat(recorder.recovery()).isNotEmpty();
    }

    @Test
    void countsWrongAnswers() throws InterruptedException {
        ask("wrong");
        ask("short");

        assertThat(recorder.counts().wrong()).isEqualTo(2);
        assertThat(recorder.counts().right()).isZero();
        assertThat(recorder.recovery()).isEmpty();
    }

    @Test
    void countsErrorsByKindAndReason() throws Exception {
        ask("away");
        ask("cut");
        int closed;
        try (ServerSocket socket = new ServerSocket(0)) {
            closed = socket.getLocalPort();
        }
        ask(closed, "right");

        assertThat(recorder.counts().errors())
                .containsOnlyKeys("503", User.ENDED, User.REFUSED)
                .allSatisfy((kind, count) -> assertThat(count).isOne());
        assertThat(recorder.counts().reasons()).containsKey("503: no broker at port #");
        assertThat(recorder.counts().longestError()).isPositive();
    }

    @Test
    void recoversWithTheFirstRightAnswerAfterTheLastError() throws InterruptedException {
        ask("right");
        recorder.back();
        assertThat(recorder.recovery()).isEmpty();
        ask("away");
        ask("right");
        double first = recorder.recovery().orElseThrow();
        ask("right");

        assertThat(recorder.recovery()).hasValue(first);
        ask("away");
        assertThat(recorder.recovery()).isEmpty();
    }

    /** One server thread would be enough for a closed load that waits; an open load goes on. */
    @Test
    void anOpenLoadKeepsItsRateWhateverComesBackAndCountsEachPhase() throws InterruptedException {
        RequestRecorder first = new RequestRecorder();
        RequestRecorder second;
        long begun;
        AtomicReference<RequestRecorder> current = new AtomicReference<>(first);
        try (CheckedLoad load = new CheckedLoad(port(), 3)) {
            load.rate("slow", 50, current::get);
            await().until(() -> first.counts().right() >= 20);
            begun = System.nanoTime();
            second = new RequestRecorder();
            current.set(second);
            await().until(() -> second.counts().right() >= 20);
        }
        double lasted = (System.nanoTime() - begun) / 1e9;
        assertThat(first.p99()).isGreaterThanOrEqualTo(0.3);
        assertThat(mostAtOnce).as("requests under way at a time").hasValueGreaterThan(3);
        assertThat(first.firstRight()).isPresent();
        assertThat(second.recovery())
                .hasValueSatisfying(seconds -> assertThat(seconds).isBetween(0.0, lasted));
        assertThat(second.counts().failed() + second.counts().wrong()).isZero();
    }

    @Test
    void anOpenLoadTellsWhatWentWrong() throws InterruptedException {
        for (String variant : new String[] {"wrong", "away", "cut"}) {
            RequestRecorder only = new RequestRecorder();
            try (CheckedLoad load = new CheckedLoad(port(), 3)) {
                load.rate(variant, 20, () -> only);
                await().until(() -> only.counts().wrong() + only.counts().failed() >= 3);
            }
            assertThat(only.counts().right()).isZero();
            assertThat(only.firstRight()).isEmpty();
            assertThat(only.counts().errors().keySet())
                    .isSubsetOf("503", User.ENDED)
                    .hasSize(variant.equals("wrong") ? 0 : 1);
        }
    }

    @Test
    void manyUsersMakeOneRequestEachAtOnce() throws InterruptedException {
        try (CheckedLoad load = new CheckedLoad(port(), 3)) {
            load.once("slow", 20, recorder, PATIENCE);
        }
        assertThat(recorder.counts().right()).isEqualTo(20);
        assertThat(mostAtOnce).as("requests under way at a time").hasValueGreaterThan(3);
    }

    @Test
    void saysThatUsersHaveNoAnswerInTime() throws InterruptedException {
        try (CheckedLoad load = new CheckedLoad(port(), 3)) {
            assertThatThrownBy(() -> load.once("slow", 2, recorder, Duration.ZERO))
                    .isInstanceOf(ProcessException.class)
                    .hasMessage("The users of slow are not done after 0 s.");
        }
    }

    private int port() {
        return server.getAddress().getPort();
    }

    private void ask(String variant) throws InterruptedException {
        ask(port(), variant);
    }

    /** Makes one request. */
    private void ask(int port, String variant) throws InterruptedException {
        try (CheckedLoad load = new CheckedLoad(port, 3)) {
            load.once(variant, 1, recorder, PATIENCE);
        }
    }

    /** As long as a busy machine takes. */
    private static ConditionFactory await() {
        return Awaitility.await().atMost(PATIENCE);
    }
}

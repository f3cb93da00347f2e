package dev.chatterbox.workloads;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.BindException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

class SliceChannelTests {

    private static final Duration PATIENCE = Duration.ofMinutes(1);

    private static final SliceResult RESULT = new SliceResult(
            "1/nats", 0.1 + 0.2, 42, Map.of("timeout", 2L, "http-503", 1L), 30_000_000_000L, latency(), 0.25);

    /** From a microsecond to the latency of the longest slice. */
    private static Histogram latency() {
        Histogram latency = new Histogram(SliceResult.DIGITS);
        for (long nanos = 1_000; nanos < 86_400_000_000_000L; nanos += nanos / 3) {
            latency.recordValueWithCount(nanos, nanos % 7 + 1);
        }
        return latency;
    }

    @Test
    void aQueueCountsItsConsumedMessages() {
        SliceResult result = new SliceResult("1", 0.5, 2, Map.of(), 0, 16);

        assertThat(result.calls(Workload.parse("queue calls=10"))).isEqualTo(16);
        assertThat(RESULT.calls(Workload.parse("calls=10 users=1"))).isEqualTo(420);
    }

    @Test
    void givesASliceAndTakesItsResult() throws IOException {
        try (SliceChannel.Listener listener = new SliceChannel.Listener()) {
            Slice slice = new Slice(
                    "1/nats",
                    "nats",
                    Workload.parse("batch calls=10 size=5 users=4 payload=7"),
                    42,
                    0,
                    "http://127.0.0.1:8081");
            CompletableFuture<Slice> given = served(listener);
            try (SliceChannel bench = listener.accept(PATIENCE).orElseThrow()) {
                bench.order(slice);

                assertThat(bench.result(PATIENCE)).contains(RESULT);
                assertThat(given).isCompletedWithValue(slice);
                assertThat(RESULT.failed()).isEqualTo(3);
            }
        }
    }

    @Test
    void aProgramOfMessagesGetsReadyAndHolds() throws IOException {
        Slice slice = new Slice("1 2", "nats", Workload.parse("queue calls=10 users=1"), 42, 0);
        try (SliceChannel.Listener listener = new SliceChannel.Listener();
                SliceChannel program = connect(listener);
                SliceChannel bench = listener.accept(PATIENCE).orElseThrow()) {
            List<String> orders = new CopyOnWriteArrayList<>();
            CompletableFuture<Void> served = CompletableFuture.runAsync(() -> serve(program, orders));

            bench.prepare(slice);
            assertThat(bench.result(PATIENCE)).hasValueSatisfying(result -> {
                assertThat(result.id()).isEqualTo("1 2");
                assertThat(result.failures()).isEqualTo(Map.of("not-ready", 1L));
            });
            bench.hold(slice);
            assertThat(bench.result(PATIENCE).map(SliceResult::failed)).contains(0L);
            bench.close();

            served.join();
            assertThat(orders).containsExactly("prepare " + slice, "hold " + slice);
        }
    }

    private static SliceChannel connect(SliceChannel.Listener listener) throws IOException {
        return SliceChannel.connect(listener.environment().get(SliceChannel.VARIABLE), Duration.ZERO);
    }

    private static void serve(SliceChannel program, List<String> orders) {
        try {
            program.serve(new SliceChannel.Worker() {
                @Override
                public String prepare(Slice slice) {
                    orders.add("prepare " + slice);
                    return "not-ready";
                }

                @Override
                public void hold(Slice slice) {
                    orders.add("hold " + slice);
                }

                @Override
                public void begin(Slice slice, Consumer<SliceResult> answer) {
                    orders.add("begin");
                }
            });
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Test
    void saysNoResultWhenNoneComesInTime() throws IOException {
        try (SliceChannel.Listener listener = new SliceChannel.Listener();
                SliceChannel process = connect(listener);
                SliceChannel bench = listener.accept(PATIENCE).orElseThrow()) {
            assertThat(bench.result(Duration.ofMillis(10))).isEmpty();
        }
    }

    @Test
    void saysNoResultWhenTheProcessIsGone() throws IOException {
        try (SliceChannel.Listener listener = new SliceChannel.Listener()) {
            connect(listener).close();
            try (SliceChannel bench = listener.accept(PATIENCE).orElseThrow()) {
                assertThat(bench.result(PATIENCE)).isEmpty();
            }
        }
    }

    @Test
    void saysThatTheTokenMayBeWrong() throws IOException {
        try (SliceChannel.Listener listener = new SliceChannel.Listener()) {
            String variable = Objects.requireNonNull(listener.environment().get(SliceChannel.VARIABLE));
            try (SliceChannel stranger =
                    SliceChannel.connect(variable.replaceFirst("/.*", "/" + "x".repeat(36)), Duration.ZERO)) {
                assertThat(listener.accept(Duration.ofSeconds(1))).isEmpty();
                assertThatThrownBy(() -> stranger.serve((slice, answer) -> {}))
                        .isInstanceOf(IOException.class)
                        .hasMessageContaining("is the token right?");
            }
        }
    }

    @Test
    void letsNobodyInWithoutTheToken() throws IOException {
        try (SliceChannel.Listener listener = new SliceChannel.Listener()) {
            try (Socket stranger = stranger(listener)) {
                stranger.getOutputStream()
                        .write("the-wrong-token-that-is-longer-than-a-right-one-is".getBytes(StandardCharsets.UTF_8));
                served(listener);

                try (SliceChannel bench = listener.accept(PATIENCE).orElseThrow()) {
                    bench.order(new Slice("2", "nats", Workload.parse("unary calls=1 users=1"), 0, 1.5));
                    assertThat(bench.result(PATIENCE)).isPresent();
                }
            }
        }
    }

    @Test
    void hangsUpOnAStrangerWhoSaysNothing() throws IOException {
        try (SliceChannel.Listener listener = new SliceChannel.Listener();
                Socket stranger = stranger(listener)) {
            assertThat(listener.accept(Duration.ofMillis(100))).isEmpty();

            stranger.setSoTimeout((int) PATIENCE.toMillis());
            assertThat(stranger.getInputStream().read()).isEqualTo(-1);
        }
    }

    /** With a deadline for each byte, a stranger that sends a byte now and then is listened to for ever. */
    @Test
    @Timeout(60)
    void doesNotWaitForAStrangerThatSendsByteByByte() throws IOException {
        ScheduledExecutorService thread = Executors.newSingleThreadScheduledExecutor();
        try (SliceChannel.Listener listener = new SliceChannel.Listener();
                Socket stranger = stranger(listener)) {
            OutputStream out = stranger.getOutputStream();
            thread.scheduleAtFixedRate(() -> write(out, "x"), 0, 300, TimeUnit.MILLISECONDS);
            served(listener);

            assertThat(listener.accept(PATIENCE)).isPresent();
        } finally {
            thread.shutdownNow();
        }
    }

    /** The end that reads closes the connection, though the stranger has more to say. */
    @Test
    @Timeout(60)
    void readsNoMoreOfAStrangerThanATokenHas() throws IOException {
        try (SliceChannel.Listener listener = new SliceChannel.Listener();
                Socket stranger = stranger(listener)) {
            CompletableFuture<Void> sent = CompletableFuture.runAsync(() -> {
                OutputStream out = outputStream(stranger);
                while (write(out, "x".repeat(1 << 16))) {}
            });

            assertThat(listener.accept(Duration.ofMillis(100))).isEmpty();

            sent.join();
        }
    }

    private static OutputStream outputStream(Socket socket) {
        try {
            return socket.getOutputStream();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static boolean write(OutputStream out, String text) {
        try {
            out.write(text.getBytes(StandardCharsets.UTF_8));
            return true;
        } catch (IOException e) {
            return false;
        }
    }

    private static Socket stranger(SliceChannel.Listener listener) throws IOException {
        String address = listener.environment().get(SliceChannel.VARIABLE);
        int port = Integer.parseInt(address.substring(address.lastIndexOf(':') + 1, address.indexOf('/')));
        return new Socket(InetAddress.getLoopbackAddress(), port);
    }

    @Test
    void refusesASliceThatNobodyCanCarryOut() {
        Workload one = Workload.parse("calls=1 users=1");
        assertRefused("nats", Workload.parse("calls=1 rate=70%-of-slowest"), 1, "", "no share of a capacity");
        assertRefused("Nats", one, 1, "", "transport must be a name");
        assertRefused("na_ts", one, 1, "", "small letters, digits and '-'");
        assertRefused("nats", one, 0, "", "a slice needs a number of requests or of seconds");
        assertRefused("nats", one, 1, "http://x/y", "baseUrl must be an address such as http://127.0.0.1:8080");
        assertRefused("nats", one, 1, "http://:80", "baseUrl must be an address such as http://127.0.0.1:8080");
    }

    private static void assertRefused(
            String variant, Workload workload, long requests, String baseUrl, String message) {
        assertThatExceptionOfType(WorkloadException.class)
                .isThrownBy(() -> new Slice("1", variant, workload, requests, 0, baseUrl))
                .withMessageContaining(message);
    }

    @Test
    void refusesWhatIsNoAddress() {
        assertThatExceptionOfType(WorkloadException.class)
                .isThrownBy(() -> SliceChannel.connect("localhost", Duration.ZERO))
                .withMessage("CHATTERBOX_SLICES must be HOST:PORT/TOKEN, but it is 'localhost'");
    }

    @Test
    void waitsForABenchThatIsNotThereYet() throws Exception {
        InetSocketAddress address = new InetSocketAddress(InetAddress.getLoopbackAddress(), freePort());
        String variable = "%s:%d/the-token".formatted(address.getAddress().getHostAddress(), address.getPort());
        CompletableFuture<SliceChannel> injector = CompletableFuture.supplyAsync(() -> {
            try {
                return SliceChannel.connect(variable, PATIENCE);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        });
        assertThatExceptionOfType(TimeoutException.class).isThrownBy(() -> injector.get(700, TimeUnit.MILLISECONDS));

        try (SliceChannel.Listener listener = new SliceChannel.Listener(address, "the-token")) {
            assertThat(listener.accept(PATIENCE)).isPresent();
            injector.get(PATIENCE.toSeconds(), TimeUnit.SECONDS).close();
        }
    }

    /** No outgoing connection takes it before somebody listens. */
    private static int freePort() throws IOException {
        while (true) {
            int port = ThreadLocalRandom.current().nextInt(20_000, 32_000);
            try (ServerSocket free = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
                return free.getLocalPort();
            } catch (BindException e) {
                // Another one will do.
            }
        }
    }

    /** Starts a thread that answers every slice with the same result, in place of a process. */
    private static CompletableFuture<Slice> served(SliceChannel.Listener listener) {
        CompletableFuture<Slice> given = new CompletableFuture<>();
        Thread process = new Thread(() -> {
            try (SliceChannel channel = connect(listener)) {
                channel.serve((slice, answer) -> {
                    given.complete(slice);
                    answer.accept(RESULT);
                });
            } catch (IOException e) {
                given.completeExceptionally(e);
            }
        });
        process.setDaemon(true);
        process.start();
        return given;
    }
}

package dev.chatterbox.workloads;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.io.IOException;
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
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SliceChannelTests {

    private static final Duration PATIENCE = Duration.ofMinutes(1);

    private static final SliceResult RESULT = new SliceResult(
            "1/nats", 0.5, 42, Map.of("timeout", 2L, "http-503", 1L), 30_000_000_000L, "HIST=+/&", 0.25, 0);

    @Test
    void aQueueCountsItsConsumedMessages() {
        MessageCounts.Percentiles none = MessageCounts.Percentiles.NONE;
        MessageCounts counts =
                new MessageCounts("no-progress", 20, 19, 0, 1, 22, 16, 4, 3, 6, 4, 7.5, 5.5, 6.25, none, none, true);
        Workload queue = Workload.parse("queue calls=10 users=1");

        SliceResult result = SliceResult.of(new Slice("1", "nats", queue, 2, 0), counts, Map.of());

        assertThat(result.right()).isEqualTo(2);
        assertThat(result.calls(queue)).isEqualTo(16);
        assertThat(RESULT.calls(Workload.parse("calls=10 users=1"))).isEqualTo(420);
    }

    @Test
    void aProgramOfMessagesSaysThatItIsReadyOrWhyNot() {
        assertThat(SliceResult.parse(SliceResult.done("1 2", "")).id()).isEqualTo("1 2");
        assertThat(SliceResult.parse(SliceResult.done("1", "")).failed()).isZero();
        assertThat(SliceResult.parse(SliceResult.done("1", "not-ready")).failures())
                .isEqualTo(Map.of("not-ready", 1L));
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
    void tellsAProgramOfMessagesToGetReadyAndToHold() throws IOException {
        Slice slice = new Slice("1 2", "nats", Workload.parse("queue calls=10 users=1"), 42, 0);
        try (SliceChannel.Listener listener = new SliceChannel.Listener();
                SliceChannel program =
                        SliceChannel.connect(listener.environment().get(SliceChannel.VARIABLE));
                SliceChannel bench = listener.accept(PATIENCE).orElseThrow()) {
            List<String> told = new CopyOnWriteArrayList<>();
            CompletableFuture<Void> served = CompletableFuture.runAsync(() -> serve(program, told));

            bench.prepare(slice);
            bench.hold(slice);
            bench.close();

            served.join();
            assertThat(told).containsExactly("ready for " + slice, "hold 1 2");
        }
    }

    private static void serve(SliceChannel program, List<String> told) {
        try {
            program.serve(new SliceChannel.Worker() {
                @Override
                public void prepare(Slice slice) {
                    told.add("ready for " + slice);
                }

                @Override
                public void hold(String id) {
                    told.add("hold " + id);
                }

                @Override
                public void begin(Slice slice) {
                    told.add("begin");
                }
            });
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Test
    void beginsASliceAtTheOrderedTime() throws IOException {
        try (SliceChannel.Listener listener = new SliceChannel.Listener()) {
            served(listener);
            try (SliceChannel bench = listener.accept(PATIENCE).orElseThrow()) {
                long asked = System.nanoTime();
                double ahead = bench.millisAhead();
                double most = (System.nanoTime() - asked) / 1e6 + 1;
                assertThat(ahead).as("one machine has one clock").isBetween(-most, most);
                long begin = System.currentTimeMillis() + 300;

                bench.order(new Slice("2", "nats", Workload.parse("unary calls=1 users=1"), 0, 1.5), begin);

                assertThat(bench.result(PATIENCE)).isPresent();
                assertThat(System.currentTimeMillis()).isGreaterThanOrEqualTo(begin);
            }
        }
    }

    @Test
    void saysNoResultWhenTheProcessIsGone() throws IOException {
        try (SliceChannel.Listener listener = new SliceChannel.Listener()) {
            SliceChannel.connect(listener.environment().get(SliceChannel.VARIABLE))
                    .close();
            try (SliceChannel bench = listener.accept(PATIENCE).orElseThrow()) {
                assertThat(bench.result(PATIENCE)).isEmpty();
            }
        }
    }

    @Test
    void letsNobodyInWithoutTheToken() throws IOException {
        try (SliceChannel.Listener listener = new SliceChannel.Listener()) {
            try (Socket stranger = stranger(listener)) {
                stranger.getOutputStream().write("hello me\n".getBytes(StandardCharsets.UTF_8));
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

    private static Socket stranger(SliceChannel.Listener listener) throws IOException {
        String address = listener.environment().get(SliceChannel.VARIABLE);
        int port = Integer.parseInt(address.substring(address.lastIndexOf(':') + 1, address.indexOf('/')));
        return new Socket(InetAddress.getLoopbackAddress(), port);
    }

    @Test
    void refusesASliceThatNobodyCanCarryOut() {
        Workload one = Workload.parse("calls=1 users=1");
        assertRefused("nats", Workload.parse("calls=1 rate=70%"), 1, "", "no share of a capacity");
        assertRefused("nats", Workload.parse("calls=1000001 users=1"), 1, "", "calls must be 1 to 1000000");
        assertRefused("Nats", one, 1, "", "transport must be a name");
        assertRefused("na_ts", one, 1, "", "small letters, digits and '-'");
        assertRefused("nats", one, 0, "", "a slice needs a number of requests or of seconds");
        assertRefused("nats", one, 1, "http://x/y", "baseUrl must be an address such as http://127.0.0.1:8080");
        assertRefused("nats", one, 1, "http://:80", "baseUrl must be an address such as http://127.0.0.1:8080");
    }

    private static void assertRefused(String row, Workload workload, long requests, String baseUrl, String message) {
        assertThatExceptionOfType(WorkloadException.class)
                .isThrownBy(() -> new Slice("1", row, workload, requests, 0, baseUrl))
                .withMessageContaining(message);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "stop 1 | a line must begin with 'slice', but it is 'stop 1'",
                "slice 1 nats | slice 1 nats' is too short",
                "slice 1 nats calls%3D1+users%3D1 many 0 x | many' is no number in 'slice",
            })
    void refusesALineThatIsNoSlices(String line, String message) {
        assertThatExceptionOfType(WorkloadException.class)
                .isThrownBy(() -> Slice.parse(line))
                .withMessageContaining(message);
    }

    @Test
    void refusesWhatIsNoAddress() {
        assertThatExceptionOfType(WorkloadException.class)
                .isThrownBy(() -> SliceChannel.connect("localhost"))
                .withMessage("CHATTERBOX_SLICES must be HOST:PORT/TOKEN, but it is 'localhost'");
    }

    @Test
    void waitsForABenchThatIsNotThereYet() throws Exception {
        InetSocketAddress address = new InetSocketAddress(InetAddress.getLoopbackAddress(), freePort());
        String variable = "%s:%d/the-token".formatted(address.getAddress().getHostAddress(), address.getPort());
        CompletableFuture<SliceChannel> injector = CompletableFuture.supplyAsync(() -> {
            try {
                return SliceChannel.await(variable, PATIENCE);
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
            } catch (BindException taken) {
                // Another one will do.
            }
        }
    }

    /** Starts a thread that answers every slice with the same result, in place of a process. */
    private static CompletableFuture<Slice> served(SliceChannel.Listener listener) {
        CompletableFuture<Slice> given = new CompletableFuture<>();
        Thread process = new Thread(() -> {
            try (SliceChannel channel =
                    SliceChannel.connect(listener.environment().get(SliceChannel.VARIABLE))) {
                channel.serve(slice -> {
                    given.complete(slice);
                    try {
                        channel.answer(RESULT);
                    } catch (IOException e) {
                        given.completeExceptionally(e);
                    }
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

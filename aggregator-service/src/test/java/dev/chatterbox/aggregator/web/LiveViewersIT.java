package dev.chatterbox.aggregator.web;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.chatterbox.aggregator.AggregatorProcess;
import dev.chatterbox.aggregator.AggregatorService;
import dev.chatterbox.aggregator.Http;
import dev.chatterbox.aggregator.fanout.Transport;
import dev.chatterbox.client.RealResponder;
import dev.chatterbox.client.SharedBrokers;
import dev.chatterbox.client.TestVariants;
import dev.chatterbox.variants.ResponderProgram;
import dev.chatterbox.variants.Variant;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.ByteBufAllocatorMetricProvider;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.web.server.context.WebServerApplicationContext;
import org.springframework.context.ConfigurableApplicationContext;

/** What viewers of the live page cost, and that a viewer that reads nothing holds up nobody. */
@Tag("long")
class LiveViewersIT {

    private static final Duration PATIENCE = Duration.ofMinutes(1);
    private static final Duration WINDOW = Duration.ofSeconds(5);
    private static final int BYTES = 4_096;
    private static final int SAMPLES = 50_000;

    /** Room for the waiting sample, the sent one and the history, but not for anything that grows with publishing. */
    private static final long MOST_HELD = 48 << 20;

    private final Deque<AutoCloseable> opened = new ArrayDeque<>();

    @AfterEach
    void close() throws Exception {
        for (AutoCloseable closeable : opened) {
            closeable.close();
        }
    }

    private <T extends AutoCloseable> T open(T closeable) {
        opened.push(closeable);
        return closeable;
    }

    @Test
    void aViewerThatReadsNothingHoldsUpNobodyAndTakesNoMemoryWithoutBound() throws IOException {
        ConfigurableApplicationContext aggregator = open(new SpringApplicationBuilder(AggregatorService.class)
                .run("--server.port=0", "--chatterbox.transports=memory"));
        int port = ((WebServerApplicationContext) aggregator).getWebServer().getPort();
        Http http = new Http(port);
        LiveSamples samples = aggregator.getBean(LiveSamples.class);
        Viewer reading = open(new Viewer(http));
        List<Socket> others = new ArrayList<>();
        for (int i = 0; i < 10; i++) {
            others.add(open(viewerThatReadsNothing(port)));
        }
        await().atMost(PATIENCE).until(() -> reading.seen() > 1);
        long before = held();

        // 2 GB for all viewers, if each got every sample.
        Sample large = sample(BYTES);
        for (int i = 0; i < SAMPLES; i++) {
            samples.publish(large);
        }

        assertThat(held() - before).as("bytes held").isLessThan(MOST_HELD);
        long seen = reading.seen();
        await().atMost(PATIENCE).until(() -> reading.seen() >= seen + 5);
        for (int i = 0; i < 100; i++) {
            assertThat(http.get("/memory/square/unary/100").statusCode()).isEqualTo(200);
        }
        assertThat(others).noneMatch(Socket::isClosed);
    }

    /** Compares with the aggregator without a viewer, and measures again until its code is compiled. */
    @Test
    void aViewerOfThreeIdleVariantsCostsLessThanTwoPercentOfACore() {
        Map<String, String> environment = new HashMap<>();
        List<Variant> variants = TestVariants.all().byDefault();
        for (Variant variant : variants) {
            variant.broker()
                    .ifPresent(broker ->
                            environment.putAll(SharedBrokers.of(variant).environment()));
            RealResponder responder = open(RealResponder.start(variant, environment));
            environment.putAll(ResponderProgram.aggregatorEnvironment(variant, responder.ports()));
        }
        AggregatorProcess aggregator = open(AggregatorProcess.start(
                variants.stream().map(Variant::name).collect(Collectors.joining(",")), environment));
        await().atMost(Duration.ofMinutes(1))
                .pollDelay(Duration.ZERO)
                .pollInterval(Duration.ofMillis(1))
                .untilAsserted(() -> {
                    double unwatched = cores(aggregator);
                    try (Viewer viewer = new Viewer(aggregator.http())) {
                        double watched = cores(aggregator);
                        assertThat(viewer.seen()).isPositive();
                        assertThat(watched - unwatched)
                                .as("cores: %.3f instead of %.3f", watched, unwatched)
                                .isLessThan(0.02);
                    }
                });
    }

    /** How many cores the aggregator takes, of the next seconds. */
    private static double cores(AggregatorProcess aggregator) {
        long start = System.nanoTime();
        Duration cpu = aggregator.cpuTime();
        await().pollDelay(WINDOW).atMost(PATIENCE).until(() -> true);
        return (double) aggregator.cpuTime().minus(cpu).toNanos() / (System.nanoTime() - start);
    }

    private static Sample sample(int bytes) {
        Sample.Latency none = new Sample.Latency(null, null);
        Sample.VariantSample figures = new Sample.VariantSample(
                new Transport.State("down", "x".repeat(bytes)), 0, 0, 0, 0, none, none, Map.of());
        return new Sample(1, 1, new Sample.ProcessSample(0, 1, 0), Map.of("memory", figures));
    }

    /** The bytes of the heap in use, and of Netty's memory outside the heap. */
    private static long held() {
        System.gc();
        return ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed()
                + ((ByteBufAllocatorMetricProvider) ByteBufAllocator.DEFAULT)
                        .metric()
                        .usedDirectMemory();
    }

    private static Socket viewerThatReadsNothing(int port) throws IOException {
        Socket socket = new Socket();
        socket.setReceiveBufferSize(1_024);
        socket.connect(new InetSocketAddress("127.0.0.1", port));
        socket.getOutputStream()
                .write("GET /live HTTP/1.1\r\nHost: x\r\nAccept: text/event-stream\r\n\r\n"
                        .getBytes(StandardCharsets.US_ASCII));
        return socket;
    }

    /** Counts what it is sent, on a thread of its own. */
    private static final class Viewer implements AutoCloseable {

        private final Stream<String> lines;
        private volatile long seen;

        Viewer(Http http) {
            lines = http.lines("/live");
            Thread reader = new Thread(this::read, "viewer");
            reader.setDaemon(true);
            reader.start();
        }

        private void read() {
            try {
                lines.filter(line -> line.startsWith("data:")).forEach(line -> seen++);
            } catch (UncheckedIOException closed) {
                // The test is over, and close() has ended the stream.
            }
        }

        long seen() {
            return seen;
        }

        @Override
        public void close() {
            lines.close();
        }
    }
}

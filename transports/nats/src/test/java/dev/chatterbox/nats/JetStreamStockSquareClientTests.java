package dev.chatterbox.nats;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.chatterbox.client.CallLimits;
import dev.chatterbox.client.TestRequests;
import dev.chatterbox.client.TestVariants;
import dev.chatterbox.variants.Variant;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.nats.client.JetStream;
import io.nats.client.api.StorageType;
import io.nats.client.impl.Headers;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import reactor.core.scheduler.Schedulers;

class JetStreamStockSquareClientTests {

    private static final int THREADS = Schedulers.DEFAULT_BOUNDED_ELASTIC_SIZE;

    /** The checks of other variants run on the threads that Reactor shares. */
    @Test
    void leavesTheSharedThreadsFreeWhileNoPublicationIsAcknowledged() throws InterruptedException {
        Variant variant = TestVariants.find("jetstream-stock");
        JetStreamSettings settings =
                new JetStreamSettings("nats://nobody:1", "", StorageType.File, JetStreamSettings.ReplyPath.CORE);
        AtomicInteger waiting = new AtomicInteger();
        CountDownLatch acknowledged = new CountDownLatch(1);
        JetStream jetStream = (JetStream) Proxy.newProxyInstance(
                JetStream.class.getClassLoader(), new Class<?>[] {JetStream.class}, (proxy, method, arguments) -> {
                    waiting.incrementAndGet();
                    acknowledged.await();
                    return null;
                });
        JetStreamStockSquareClient client =
                new JetStreamStockSquareClient(
                        variant,
                        settings,
                        new CallLimits(2 * THREADS, 0, 1 << 20, Duration.ofSeconds(5)),
                        new SimpleMeterRegistry()) {
                    @Override
                    Publisher publisher() {
                        return new Publisher(jetStream, id -> new Headers());
                    }
                };
        try {
            for (int i = 0; i < 2 * THREADS; i++) {
                client.square(TestRequests.of(3, Duration.ofMinutes(1)))
                        .onErrorComplete()
                        .subscribe();
            }
            await().until(() -> waiting.get() == THREADS);

            CountDownLatch check = new CountDownLatch(1);
            Schedulers.boundedElastic().schedule(check::countDown);
            assertThat(check.await(10, TimeUnit.SECONDS)).isTrue();
        } finally {
            acknowledged.countDown();
            client.stop();
        }
    }
}

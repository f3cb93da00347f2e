package dev.chatterbox.aggregator.fanout;

import dev.chatterbox.client.SquareClient;
import dev.chatterbox.connection.Daemon;
import dev.chatterbox.variants.Variant;
import dev.chatterbox.variants.Variants;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.Executor;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.web.server.context.WebServerApplicationContext;
import org.springframework.context.SmartLifecycle;
import org.springframework.context.annotation.Import;
import org.springframework.core.env.Environment;
import org.springframework.stereotype.Component;

/** The started transports: one for each chosen variant. Starts and stops those that are enabled. */
@Component
@Import(ClientRegistrar.class)
public class Transports implements SmartLifecycle {

    private static final Logger log = LoggerFactory.getLogger(Transports.class);

    /** The prefix of a property that hides a variant although it is started; the variant's name follows it. */
    static final String HIDDEN = "chatterbox.hidden.";

    /** The part of the heap that replies may take which nobody reads, as its divisor. */
    private static final int UNREAD_PART = 4;

    /** More than what each client takes at most, less than the 10 s after which {@code down} kills the process. */
    static final Duration STOP_TIMEOUT = Duration.ofMillis(4_500);

    private final Map<String, Transport> transports = new TreeMap<>();
    private final List<Transport> visible = new ArrayList<>();
    private volatile boolean running;

    /** @param clients by the names of their variants */
    @Autowired
    Transports(
            Map<String, SquareClient> clients,
            Variants variants,
            Environment environment,
            FanOutProperties properties,
            MeterRegistry meters) {
        this(clients, variants, environment, properties, meters, Transports::sender);
    }

    /**
     * @param senders makes, by a variant's name, the thread that sends for event loops and timers, which have no time
     */
    Transports(
            Map<String, SquareClient> clients,
            Variants variants,
            Environment environment,
            FanOutProperties properties,
            MeterRegistry meters,
            Function<String, Executor> senders) {
        Semaphore admission = new Semaphore(properties.maxRequests());
        UnreadReplies unread = new UnreadReplies(Runtime.getRuntime().maxMemory() / UNREAD_PART);
        new TreeMap<>(clients).forEach((name, client) -> {
            Variant variant = variants.find(name)
                    .orElseThrow(() -> new IllegalStateException("The bean " + name + " is the client of no variant"));
            String disabled = environment.getProperty("chatterbox.disabled." + name);
            Transport transport = new Transport(
                    variant, client, disabled, properties.of(variant), admission, unread, senders.apply(name), meters);
            transports.put(name, transport);
            if (!environment.getProperty(HIDDEN + name, Boolean.class, false)) {
                visible.add(transport);
                transport.show(meters);
            }
        });
        log.info("{}", properties);
    }

    /** One thread, which ends when it has nothing to send. */
    static Executor sender(String variant) {
        ThreadPoolExecutor thread = new ThreadPoolExecutor(
                1,
                1,
                10,
                TimeUnit.SECONDS,
                new LinkedBlockingQueue<>(),
                task -> Daemon.thread("send-" + variant, task));
        thread.allowCoreThreadTimeOut(true);
        return thread;
    }

    /** @return null where there is no such transport */
    public @Nullable Transport find(String name) {
        return transports.get(name);
    }

    /** In alphabetical order, without the hidden ones. */
    public Collection<Transport> all() {
        return Collections.unmodifiableList(visible);
    }

    @Override
    public void start() {
        running = true;
        for (Transport transport : transports.values()) {
            log.info(
                    "Transport {}: {} {}",
                    transport.name(),
                    transport.enabled() ? "enabled" : "disabled",
                    transport.settings());
            if (transport.enabled()) {
                transport.client.start();
            }
        }
    }

    /**
     * Stops all clients in parallel, because a client whose broker is frozen must not keep the others from a regular
     * end. Returns when all have ended, or after {@link #STOP_TIMEOUT}.
     */
    @Override
    public void stop() {
        running = false;
        List<Thread> stops = transports.values().stream()
                .filter(Transport::enabled)
                .map(transport -> Daemon.start("stop-transport", () -> stop(transport)))
                .toList();
        long end = System.nanoTime() + STOP_TIMEOUT.toNanos();
        stops.forEach(thread -> Daemon.join(thread, Duration.ofNanos(end - System.nanoTime())));
        if (stops.stream().anyMatch(Thread::isAlive)) {
            log.warn("Not every transport has stopped within {} ms", STOP_TIMEOUT.toMillis());
        }
    }

    private static void stop(Transport transport) {
        try {
            transport.client.stop();
        } catch (RuntimeException e) {
            log.warn("Transport {} did not stop in order: {}", transport.name(), e.toString());
        }
    }

    @Override
    public boolean isRunning() {
        return running;
    }

    /** Starts before the web server and stops after it has answered its requests: both its phases are above this. */
    @Override
    public int getPhase() {
        return WebServerApplicationContext.START_STOP_LIFECYCLE_PHASE - 1;
    }
}

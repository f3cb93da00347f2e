package dev.chatterbox.comparison.remote;

import dev.chatterbox.comparison.counts.Prometheus;
import dev.chatterbox.comparison.remote.Series.Point;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The aggregator's own figures, read once a second, for a system without a Prometheus. Nobody knows where its responders
 * and brokers can be asked. Thread-safe.
 */
final class OwnScrapes implements CounterSource {

    private static final String PAGE =
            "/actuator/prometheus?includedNames=process_cpu_time_ns,process_start_time_seconds,"
                    + "chatterbox_inputs,chatterbox_calls_seconds,chatterbox_replies_unmatched";

    private static final String STARTED = "process_start_time_seconds";

    private static final Set<String> KEPT = Set.of(
            "process_cpu_time_ns_total",
            "chatterbox_inputs_total",
            "chatterbox_calls_seconds_count",
            "chatterbox_replies_unmatched_total");

    /** Older samples are forgotten: a plateau and the wait after it are shorter. */
    private static final double KEPT_SECONDS = 600;

    private final Remote aggregator;

    /** Samples by name and labels. */
    private final Map<String, Map<Map<String, String>, List<Point>>> points = new HashMap<>();

    private final double started;
    private volatile @Nullable IOException failure;
    private final ScheduledExecutorService scraper = Executors.newSingleThreadScheduledExecutor(task -> {
        Thread thread = new Thread(task, "scrapes");
        thread.setDaemon(true);
        return thread;
    });

    /** @throws IOException the aggregator does not show its figures */
    OwnScrapes(Remote aggregator) throws IOException {
        this.aggregator = aggregator;
        started = scrape().orElse(0);
        scraper.scheduleAtFixedRate(this::scrapeIfPossible, 1, 1, TimeUnit.SECONDS);
    }

    private void scrapeIfPossible() {
        try {
            OptionalDouble now = scrape();
            if (now.isPresent() && now.getAsDouble() != started) {
                failure = new IOException(
                        "Several aggregators answer at %s, or it was restarted. Name a --prometheus that knows them all"
                                .formatted(aggregator.address()));
            }
        } catch (IOException | RuntimeException e) {
            // The sample is missing; if too many are, the plateau does not count.
        }
    }

    /** @return when the aggregator that answered was started */
    private OptionalDouble scrape() throws IOException {
        Prometheus figures = Prometheus.parse(aggregator.text(PAGE));
        double now = System.currentTimeMillis() / 1e3;
        synchronized (this) {
            for (Prometheus.Sample sample : figures.all()) {
                if (KEPT.contains(sample.name())) {
                    List<Point> own = points.computeIfAbsent(sample.name(), none -> new HashMap<>())
                            .computeIfAbsent(labels(sample), none -> new ArrayList<>());
                    own.removeIf(point -> point.seconds() < now - KEPT_SECONDS);
                    own.add(new Point(now, sample.value()));
                }
            }
        }
        return figures.named(STARTED).mapToDouble(Prometheus.Sample::value).findFirst();
    }

    /** Only Prometheus, or a container's command line, names the process of a figure. */
    private static Map<String, String> labels(Prometheus.Sample sample) {
        Map<String, String> labels = new TreeMap<>(sample.labels());
        labels.put("process", Deployment.AGGREGATOR);
        return labels;
    }

    @Override
    public List<Series> samples(String counter, Map<String, String> labels, double from, double to) throws IOException {
        IOException failed = failure;
        if (failed != null) {
            throw failed;
        }
        List<Series> found = new ArrayList<>();
        synchronized (this) {
            points.getOrDefault(counter, Map.of()).forEach((own, all) -> {
                List<Point> inside = all.stream()
                        .filter(point -> point.seconds() >= from && point.seconds() <= to)
                        .toList();
                if (!inside.isEmpty()
                        && labels.entrySet().stream()
                                .allMatch(label ->
                                        own.getOrDefault(label.getKey(), "").matches(label.getValue()))) {
                    found.add(new Series(own, inside));
                }
            });
        }
        return found;
    }

    @Override
    public String name() {
        return "the aggregator itself";
    }

    @Override
    public void close() {
        scraper.shutdownNow();
    }
}

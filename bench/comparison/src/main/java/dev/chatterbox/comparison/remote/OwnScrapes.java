package dev.chatterbox.comparison.remote;

import dev.chatterbox.comparison.counts.Prometheus;
import dev.chatterbox.comparison.remote.Series.Point;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/**
 * The aggregator's own figures, read once a second, for a system without a Prometheus. Nobody knows where its responders
 * and brokers can be asked. Thread-safe.
 */
public final class OwnScrapes implements CounterSource, AutoCloseable {

    private static final String NEEDED =
            "/actuator/prometheus?includedNames=process_cpu_time,process_start_time_seconds,"
                    + "chatterbox_inputs,chatterbox_replies_unmatched";

    /** Older samples are forgotten: a plateau and the wait after it are shorter. */
    private static final double KEPT_SECONDS = 600;

    private final Remote aggregator;
    private final Map<String, List<Point>> points = new LinkedHashMap<>();
    private final Map<String, Prometheus.Sample> series = new LinkedHashMap<>();
    private final ScheduledExecutorService scraper = Executors.newSingleThreadScheduledExecutor(task -> {
        Thread thread = new Thread(task, "scrapes");
        thread.setDaemon(true);
        return thread;
    });

    /** @throws IOException the aggregator does not show its figures */
    public OwnScrapes(Remote aggregator) throws IOException {
        this.aggregator = aggregator;
        scrape();
        scraper.scheduleAtFixedRate(this::scrapeIfPossible, 1, 1, TimeUnit.SECONDS);
    }

    private void scrapeIfPossible() {
        try {
            scrape();
        } catch (IOException e) {
            // The sample is missing; if too many are, the plateau does not count.
        }
    }

    private void scrape() throws IOException {
        Prometheus figures = Prometheus.parse(aggregator.text(NEEDED));
        double now = System.currentTimeMillis() / 1e3;
        synchronized (this) {
            figures.all().forEach(sample -> {
                String key = sample.name() + sample.labels();
                series.putIfAbsent(key, sample);
                List<Point> own = points.computeIfAbsent(key, none -> new ArrayList<>());
                own.removeIf(point -> point.seconds() < now - KEPT_SECONDS);
                own.add(new Point(now, sample.value()));
            });
        }
    }

    @Override
    public synchronized List<Series> samples(String counter, Map<String, String> labels, double from, double to) {
        List<Series> found = new ArrayList<>();
        series.forEach((key, sample) -> {
            boolean wanted = sample.name().equals(counter)
                    && labels.entrySet().stream()
                            .allMatch(label -> sample.label(label.getKey()).matches(label.getValue()));
            List<Point> inside = points.get(key).stream()
                    .filter(point -> point.seconds() >= from && point.seconds() <= to)
                    .toList();
            if (wanted && !inside.isEmpty()) {
                found.add(new Series(sample.labels(), inside));
            }
        });
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

package dev.chatterbox.load;

import dev.chatterbox.workloads.SliceChannel;
import java.io.IOException;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The simulation of {@code ./chatterbox compare}. It carries out the slices that the bench orders, also several at
 * once, over the channel that the environment names ({@link SliceChannel#VARIABLE}), until the bench closes it. Its
 * properties: {@code chatterbox.users} is how many users there are, {@code chatterbox.baseUrl} the aggregator's
 * address, and {@code chatterbox.requestTimeout} says after how many seconds a request has failed, 30 by default.
 */
public final class ComparisonSimulation extends LoadSimulation {

    /** An injector on another machine may start before the bench does. */
    private static final Duration PATIENCE = Duration.ofMinutes(5);

    private final Map<String, SliceRun> underWay = new ConcurrentHashMap<>();
    private final SliceChannel channel;

    public ComparisonSimulation() throws IOException {
        super(
                System.getProperty("chatterbox.baseUrl", ""),
                Integer.getInteger("chatterbox.users", 1000),
                Double.parseDouble(System.getProperty("chatterbox.requestTimeout", "30")));
        channel = SliceChannel.connect(System.getenv().getOrDefault(SliceChannel.VARIABLE, ""), PATIENCE);
    }

    @Override
    void serve() throws IOException {
        try (channel) {
            channel.serve((slice, answer) -> {
                SliceRun run = run(slice);
                underWay.put(slice.id(), run);
                run.start().thenAccept(result -> {
                    underWay.remove(result.id());
                    answer.accept(result);
                });
            });
        } finally {
            underWay.values().forEach(SliceRun::stop);
        }
    }
}

package dev.chatterbox.comparison;

import dev.chatterbox.processes.ProcessException;
import dev.chatterbox.stack.Steps;
import dev.chatterbox.workloads.SliceChannel;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Where the load on a system comes from that this program did not start.
 *
 * @param count how many injectors there are
 * @param coordinate the address at which injectors on other machines are waited for; empty if this program starts them
 * @param token what injectors on other machines must know
 */
public record Injection(int count, Optional<InetSocketAddress> coordinate, String token) {

    private static final Duration PATIENCE = Duration.ofMinutes(5);

    /**
     * Starts the injectors, or waits for them.
     *
     * @param users how many users each has at most
     * @throws ProcessException they do not all come within five minutes
     */
    Injectors start(Path loadTests, String address, int users, Path folder, Steps display) {
        List<Worker> workers = new ArrayList<>();
        try {
            if (coordinate.isPresent()) {
                await(coordinate.get(), workers, display);
            } else {
                for (int i = 0; i < count; i++) {
                    workers.add(Worker.generator(loadTests, address, users, folder, count == 1 ? "" : "-" + (i + 1)));
                }
            }
            return new Injectors(workers);
        } catch (ProcessException e) {
            workers.forEach(Worker::kill);
            throw e;
        }
    }

    private void await(InetSocketAddress address, List<Worker> workers, Steps display) {
        display.line("Waiting for %d injectors, each with %s=%s:%d/<the token> in its environment."
                .formatted(count, SliceChannel.VARIABLE, address.getHostString(), address.getPort()));
        long deadline = System.nanoTime() + PATIENCE.toNanos();
        try (SliceChannel.Listener listener = new SliceChannel.Listener(address, token)) {
            while (workers.size() < count) {
                Duration left = Duration.ofNanos(deadline - System.nanoTime());
                Optional<SliceChannel> channel = listener.accept(left);
                if (channel.isEmpty()) {
                    throw new ProcessException("Only %d of %d injectors came to %s within five minutes."
                            .formatted(workers.size(), count, address));
                }
                workers.add(Worker.come("injector " + (workers.size() + 1), channel.get()));
                display.line("Injector %d of %d is here.".formatted(workers.size(), count));
            }
        } catch (IOException e) {
            throw new ProcessException("Nobody can be waited for at %s: %s.".formatted(address, e.getMessage()));
        }
    }
}

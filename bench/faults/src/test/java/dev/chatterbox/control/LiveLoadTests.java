package dev.chatterbox.control;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.chatterbox.processes.ProcessException;
import dev.chatterbox.stack.FakeRepository;
import dev.chatterbox.stack.Repository;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LiveLoadTests {

    private static final LoadRequest REQUEST = new LoadRequest(List.of("one"), 5, 5, 0, 5);

    @TempDir
    private Path root;

    /** A program that ends slowly, as a comparison does that writes its report. */
    static final class Slow {

        private Slow() {}

        public static void main(String[] arguments) throws InterruptedException {
            Runtime.getRuntime()
                    .addShutdownHook(new Thread(
                            () -> await().pollDelay(Duration.ofSeconds(3)).until(() -> true)));
            System.out.println("begun");
            Thread.currentThread().join();
        }
    }

    /** Stopping must not block the server's threads, which also answer the page: eight stops once held all of them. */
    @Test
    void holdsNobodyWhoStopsIt() throws Exception {
        Repository repository = FakeRepository.create(root);
        var stack = repository.stack(0);
        Files.createDirectories(stack.logs());
        try (LiveLoad load = new LiveLoad(stack, Slow.class)) {
            load.start(REQUEST);
            await().atMost(Duration.ofMinutes(1))
                    .until(() -> load.progress().orElseThrow().lines().contains("begun"));
            assertThatThrownBy(() -> load.start(REQUEST)).isInstanceOf(ProcessException.class);

            for (int stops = 0; stops < 8; stops++) {
                load.stop();
            }

            assertThat(load.progress().orElseThrow().running()).isTrue();
            assertThat(Thread.getAllStackTraces().keySet())
                    .filteredOn(thread -> thread.getName().equals("stop-load"))
                    .hasSize(1);
            await().atMost(Duration.ofMinutes(1))
                    .until(() -> !load.progress().orElseThrow().running());
            load.start(REQUEST);
        }
    }
}

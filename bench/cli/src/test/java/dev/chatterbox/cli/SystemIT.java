package dev.chatterbox.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.chatterbox.cli.Commands.Result;
import dev.chatterbox.processes.LocalHttp;
import dev.chatterbox.stack.Member;
import dev.chatterbox.stack.Repository;
import dev.chatterbox.transport.CallMode;
import dev.chatterbox.variants.Variant;
import dev.chatterbox.variants.Variants;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Tests the whole system as a user starts it: the services of this checkout and the real brokers. */
class SystemIT {

    private static final Duration PATIENCE = Duration.ofMinutes(1);

    private final Repository repository = Commands.builtCheckout();
    private final Commands commands = new Commands(repository);
    private final int second = commands.freeOffset();

    @AfterEach
    void stop() throws IOException {
        commands.run("down", "--port-offset", Integer.toString(second));
        commands.removeStack(second);
    }

    @Test
    void answersOverEveryVariantFromTwoStacksSideBySide() throws IOException {
        int first = RealStack.offset();
        up();

        for (int offset : new int[] {first, second}) {
            assertThatAllAnswer(offset, repository.variants().byDefault());
        }
        assertThatEventLoopsHaveAProcessorEach();
    }

    @Test
    @Tag("long")
    void answersOverAllVariants() throws IOException {
        up("--transports", Variants.ALL);

        assertThatAllAnswer(second, chosen());
        assertThatEventLoopsHaveAProcessorEach();
    }

    /** With four of them on two processors, a call over REST cost some per cent more, and nobody saw why. */
    private void assertThatEventLoopsHaveAProcessorEach() throws IOException {
        for (Member member : repository.stack(second).members()) {
            List<String> loops = new ArrayList<>();
            try (DirectoryStream<Path> threads = Files.newDirectoryStream(Path.of("/proc/" + member.pid() + "/task"))) {
                for (Path thread : threads) {
                    try {
                        String name = Files.readString(thread.resolve("comm")).strip();
                        if (name.matches("reactor-(http|tcp)-(ep|ni).*")) {
                            loops.add(name.substring(0, "reactor-http".length()));
                        }
                    } catch (IOException e) {
                        // The thread has just ended, so it is no event loop.
                    }
                }
            }
            for (String kind : Set.copyOf(loops)) {
                assertThat(Collections.frequency(loops, kind))
                        .as("event loops %s of %s", kind, member.name())
                        .isLessThanOrEqualTo(Runtime.getRuntime().availableProcessors());
            }
        }
    }

    private List<Variant> chosen() {
        return repository.variants().choose(repository.stack(second).state().variants());
    }

    /** The queries for each call mode with calls, for a request of n numbers; some sizes divide n, and some do not. */
    private static final Map<CallMode, List<String>> QUERIES = Map.of(
            CallMode.UNARY, List.of("%d"),
            CallMode.BATCH, List.of("%d?size=10000", "%d?size=100", "%d?size=7", "%d?size=1"),
            CallMode.STREAM, List.of("%d"));

    private void up(String... more) {
        List<String> arguments = new ArrayList<>(List.of("up", "--port-offset", Integer.toString(second)));
        arguments.addAll(List.of(more));
        Result up = commands.run(arguments.toArray(String[]::new));
        assertThat(up.exitCode()).as(up.output()).isZero();
    }

    private static void assertThatAllAnswer(int offset, List<Variant> variants) throws IOException {
        for (Variant variant : variants) {
            // The number of calls grows: a thousand calls of a cold system on a busy machine may exceed the deadline of
            // five seconds.
            for (int n : new int[] {1, 5, 100, 1000}) {
                for (CallMode mode : variant.modes()) {
                    for (String query : QUERIES.getOrDefault(mode, List.of())) {
                        String path = "/%s/square/%s/%s".formatted(variant.name(), mode.text(), query.formatted(n));
                        assertThat(LocalHttp.get(8080 + offset, path, PATIENCE))
                                .as(path)
                                .isEqualTo(new LocalHttp.Answer(200, squares(n)));
                    }
                }
            }
        }
    }

    /** The answer to a request of n calls. */
    static String squares(int n) {
        return LongStream.rangeClosed(1, n)
                .mapToObj(i -> "{\"%d\":%d}".formatted(i, i * i))
                .collect(Collectors.joining(",", "[", "]"));
    }
}

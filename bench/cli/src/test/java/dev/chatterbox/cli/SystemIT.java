package dev.chatterbox.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.chatterbox.cli.Commands.Result;
import dev.chatterbox.processes.LocalHttp;
import dev.chatterbox.processes.programs.Platform;
import dev.chatterbox.rows.Row;
import dev.chatterbox.rows.Rows;
import dev.chatterbox.stack.Archives;
import dev.chatterbox.stack.Member;
import dev.chatterbox.stack.Repository;
import dev.chatterbox.stack.Stack;
import dev.chatterbox.transport.Exchange;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** Tests the whole system as a user starts it: the services of this checkout and the real brokers. */
class SystemIT {

    private static final Duration PATIENCE = Duration.ofSeconds(30);

    /** Allows for all archives, which are made while the stack runs. */
    private static final Duration MAKING = Duration.ofMinutes(10);

    private final Repository repository = Commands.builtCheckout();
    private final Commands commands = new Commands(repository);
    private final int second = commands.freeOffset();

    @TempDir
    Path directory;

    @AfterEach
    void stop() throws IOException {
        commands.run("down", "--port-offset", Integer.toString(second));
        commands.removeStack(second);
    }

    @Test
    void answersOverEveryRowFromTwoStacksSideBySide() throws IOException {
        int first = RealStack.offset();
        up(Map.of(), List.of());

        for (int offset : new int[] {first, second}) {
            assertThatAllAnswer(offset, repository.rows().byDefault());
        }
    }

    @Test
    @Tag("long")
    void answersOverAllRows() throws IOException {
        up(Map.of(), List.of("--transports", Rows.ALL));

        assertThatAllAnswer(second, chosen());
    }

    @Test
    @Tag("long")
    @EnabledOnOs(OS.LINUX)
    void answersFromAStackThatStartedFromArchives() throws IOException {
        answersFromArchives();
    }

    /** Makes some 15 archives. */
    @Test
    @Tag("rows")
    @EnabledOnOs(OS.LINUX)
    void answersOverAllRowsFromAStackThatStartedFromArchives() throws IOException {
        answersFromArchives("--transports", Rows.ALL);
    }

    /** The second start uses the archives that were made after the first one; both must behave the same. */
    private void answersFromArchives(String... rows) throws IOException {
        Map<String, String> environment = Map.of(Repository.ARCHIVES, "1", "XDG_CACHE_HOME", cache().toString());
        for (int start = 1; start <= 2; start++) {
            up(environment, List.of(rows));
            Stack stack = repository.stack(second);
            assertThatAllAnswer(second, chosen());
            if (start == 2) {
                assertThatAllStartedFromArchives(stack);
            } else {
                Archives archives = new Archives(repository, directory.resolve("chatterbox/archives"));
                await().atMost(MAKING).until(() -> archives.maker().isEmpty());
            }
            commands.run(environment, "down", "--port-offset", Integer.toString(second));
        }
    }

    /** A cache with all programs and a maker of archives of its own: that of others ends when they measure. */
    private Path cache() throws IOException {
        Path own = Files.createDirectory(directory.resolve("chatterbox"));
        try (Stream<Path> entries = Files.list(Platform.current().cache())) {
            for (Path entry : entries.filter(path -> !path.endsWith("archives")).toList()) {
                Files.createSymbolicLink(own.resolve(entry.getFileName()), entry);
            }
        }
        return directory;
    }

    private List<Row> chosen() {
        return repository.rows().choose(repository.stack(second).state().rows());
    }

    private static void assertThatAllStartedFromArchives(Stack stack) {
        List<Member> java = stack.members().stream()
                .filter(member -> stack.state().jars().containsKey(member.name()))
                .toList();
        assertThat(java)
                .hasSizeGreaterThan(3)
                .allSatisfy(member -> assertThat(
                                Files.readString(Path.of("/proc", Long.toString(member.pid()), "maps")))
                        .containsPattern("/archives/.*\\.(aot|jsa)"));
    }

    /** The queries for each exchange with calls, for a request of n numbers; some sizes divide n, and some do not. */
    private static final Map<Exchange, List<String>> QUERIES = Map.of(
            Exchange.UNARY, List.of("%d"),
            Exchange.BATCH, List.of("%d?size=10000", "%d?size=100", "%d?size=7", "%d?size=1"),
            Exchange.STREAM, List.of("%d"));

    private void up(Map<String, String> environment, List<String> more) {
        List<String> arguments = new ArrayList<>(List.of("up", "--port-offset", Integer.toString(second)));
        arguments.addAll(more);
        Result up = commands.run(environment, arguments.toArray(String[]::new));
        assertThat(up.exitCode()).as(up.output()).isZero();
    }

    private static void assertThatAllAnswer(int offset, List<Row> rows) throws IOException {
        for (Row row : rows) {
            // The number of calls grows: a thousand calls of a cold system on a busy machine may exceed the deadline of
            // five seconds.
            for (int n : new int[] {1, 5, 100, 1000}) {
                for (Exchange exchange : row.exchanges()) {
                    for (String query : QUERIES.getOrDefault(exchange, List.of())) {
                        String path = "/%s/square/%s/%s".formatted(row.name(), exchange.text(), query.formatted(n));
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

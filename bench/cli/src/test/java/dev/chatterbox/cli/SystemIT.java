package dev.chatterbox.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.chatterbox.cli.Commands.Result;
import dev.chatterbox.processes.LocalHttp;
import dev.chatterbox.rows.Row;
import dev.chatterbox.rows.Rows;
import dev.chatterbox.stack.Repository;
import dev.chatterbox.transport.Exchange;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
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
    void answersOverEveryRowFromTwoStacksSideBySide() throws IOException {
        int first = RealStack.offset();
        up();

        for (int offset : new int[] {first, second}) {
            assertThatAllAnswer(offset, repository.rows().byDefault());
        }
    }

    @Test
    @Tag("long")
    void answersOverAllRows() throws IOException {
        up("--transports", Rows.ALL);

        assertThatAllAnswer(second, chosen());
    }

    private List<Row> chosen() {
        return repository.rows().choose(repository.stack(second).state().rows());
    }

    /** The queries for each exchange with calls, for a request of n numbers; some sizes divide n, and some do not. */
    private static final Map<Exchange, List<String>> QUERIES = Map.of(
            Exchange.UNARY, List.of("%d"),
            Exchange.BATCH, List.of("%d?size=10000", "%d?size=100", "%d?size=7", "%d?size=1"),
            Exchange.STREAM, List.of("%d"));

    private void up(String... more) {
        List<String> arguments = new ArrayList<>(List.of("up", "--port-offset", Integer.toString(second)));
        arguments.addAll(List.of(more));
        Result up = commands.run(arguments.toArray(String[]::new));
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

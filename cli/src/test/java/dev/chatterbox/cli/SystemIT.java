package dev.chatterbox.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.chatterbox.processes.Ports;
import dev.chatterbox.cli.Commands.Result;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The whole system as a user starts it: the services of this checkout and the real brokers. */
class SystemIT {

    private final Repository repository =
            new Repository(Path.of("..").toAbsolutePath().normalize());
    private final Commands commands = new Commands(repository);
    private int first;
    private int second;

    @BeforeEach
    void findOffsets() {
        assumeTrue(
                Files.isDirectory(repository.root().resolve("aggregator-service/target")),
                "the services are not built: run mvn verify for the whole checkout");
        first = commands.freeOffset();
        second = commands.freeOffset();
    }

    @AfterEach
    void stop() throws IOException {
        for (int offset : new int[] {first, second}) {
            commands.run("down", "--port-offset", Integer.toString(offset));
            assertThat(commands.ports(offset))
                    .allSatisfy(port -> assertThat(Ports.owner(port)).isEmpty());
            Stack stack = repository.stack(offset);
            stack.clear();
            Files.deleteIfExists(stack.directory().resolve("lock"));
            Files.deleteIfExists(stack.directory());
        }
    }

    @Test
    void answersOverEveryTransportFromTwoStacksSideBySide() throws IOException {
        for (int offset : new int[] {first, second}) {
            Result up = commands.run("up", "--port-offset", Integer.toString(offset));
            assertThat(up.exitCode()).as(up.output()).isZero();
        }
        for (int offset : new int[] {first, second}) {
            for (Transport transport : repository.transports()) {
                for (int n : new int[] {1, 5, 1000}) {
                    Http.Answer answer = Http.get(8080 + offset, "/" + transport.name() + "/square/unary/" + n);
                    assertThat(answer).isEqualTo(new Http.Answer(200, squares(n)));
                }
            }
        }
    }

    private static String squares(int n) {
        return LongStream.rangeClosed(1, n)
                .mapToObj(i -> "{\"%d\":%d}".formatted(i, i * i))
                .collect(Collectors.joining(",", "[", "]"));
    }
}

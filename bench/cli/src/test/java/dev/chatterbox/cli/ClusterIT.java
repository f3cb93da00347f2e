package dev.chatterbox.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.chatterbox.cli.Commands.Result;
import dev.chatterbox.processes.Ports;
import dev.chatterbox.stack.FakeRepository;
import dev.chatterbox.stack.Member;
import dev.chatterbox.stack.Repository;
import dev.chatterbox.stack.Selection;
import dev.chatterbox.stack.Stack;
import dev.chatterbox.stack.StackPlan;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A cluster of three real nats-servers in a stack whose services are made up, beside a single one. */
@Tag("long")
class ClusterIT {

    @TempDir
    Path root;

    @Test
    void eachNodeIsAProcessThatDiesAndComesBackAlone() throws IOException {
        Repository repository = FakeRepository.create(root);
        Files.writeString(root.resolve("variants/two-cluster.properties"), """
                transport=two
                about=three of them
                responder.name=square-service-two-cluster
                responder.port.http=7700
                broker=nats-cluster
                broker.nodes=3
                """);
        Commands commands = new Commands(repository);
        int number = commands.freeOffset();
        String offset = "--port-offset=" + number;
        Stack stack = repository.stack(number);
        List<Integer> ports =
                StackPlan.of(stack, Selection.of(repository.variants(), List.of("two", "two-cluster"))).ports().stream()
                        .map(Map.Entry::getKey)
                        .toList();
        try {
            Result up = commands.run("up", offset, "--transports=two,two-cluster");
            assertThat(up.exitCode()).as(up.output()).isZero();
            assertThat(stack.members()).extracting(Member::name).contains("nats", "nats-1", "nats-2", "nats-3");
            List<Member> before = stack.members();

            assertThat(ok(commands, "fault", "kill", "nats-2", offset)).contains("is dead");
            assertThat(stack.dead()).extracting(Member::name).containsExactly("nats-2");
            // Two of three serve, so the responder is well without the third; with one of three it would not be.
            assertThat(ok(commands, "fault", "restart", "square-service-two-cluster", offset))
                    .contains("answers again");
            ok(commands, "fault", "kill", "nats-3", offset);
            Result refused = commands.run("fault", "restart", "square-service-two-cluster", offset);
            assertThat(refused.exitCode()).isEqualTo(1);
            assertThat(refused.output()).contains("cannot be well without nats-2, which is dead. First: ");

            assertThat(ok(commands, "up", offset)).contains("Restarting: nats-2, nats-3.");
            assertThat(stack.members())
                    .hasSameSizeAs(before)
                    .filteredOn(member -> !before.contains(member))
                    .extracting(Member::name)
                    .containsExactlyInAnyOrder("nats-2", "nats-3", "square-service-two-cluster");
            assertThat(commands.run("status").output()).contains("nats-1 ", "nats-2 ", "nats-3 ");
        } finally {
            commands.run("down", "--all");
        }
        assertThat(ports).allSatisfy(port -> assertThat(Ports.owner(port)).isEmpty());
    }

    private static String ok(Commands commands, String... arguments) {
        Result result = commands.run(arguments);
        assertThat(result.exitCode()).as(result.output()).isZero();
        return result.output();
    }
}

package dev.chatterbox.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.chatterbox.cli.Commands.Result;
import dev.chatterbox.processes.LocalHttp;
import dev.chatterbox.stack.Member;
import dev.chatterbox.stack.Repository;
import dev.chatterbox.stack.Stack;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Kills each process of a real stack in turn, and heals the stack. */
@Tag("long")
class HealIT {

    /** An idle machine with two cores needs less than 20 s; this machine may run other tests meanwhile. */
    private static final Duration LONGEST = Duration.ofSeconds(60);

    private final Repository repository = Commands.builtCheckout();
    private final Commands commands = new Commands(repository);

    @Test
    void startsEachProcessAgainAndLeavesTheOthers() throws IOException {
        int number = commands.freeOffset();
        String offset = "--port-offset=" + number;
        Stack stack = repository.stack(number);
        try {
            Result up = commands.run("up", "--transports", "rest,nats,kafka", offset);
            assertThat(up.exitCode()).as(up.output()).isZero();
            for (Member victim : stack.members()) {
                List<Member> before = stack.members();
                stack.process(victim).orElseThrow().stop(Duration.ZERO);
                long start = System.nanoTime();

                Result healed = commands.run("up", offset);

                Duration took = Duration.ofNanos(System.nanoTime() - start);
                System.out.printf("%s: up again after %d ms%n", victim.name(), took.toMillis());
                assertThat(healed.exitCode())
                        .as("%s: %s", victim.name(), healed.output())
                        .isZero();
                assertThat(took).as(victim.name()).isLessThan(LONGEST);
                assertThat(stack.members())
                        .hasSameSizeAs(before)
                        .filteredOn(member -> !before.contains(member))
                        .extracting(Member::name)
                        .containsExactly(victim.name());
                for (String variant : List.of("rest", "nats", "kafka")) {
                    assertThat(LocalHttp.get(8080 + number, "/" + variant + "/square/unary/3", Duration.ofMinutes(1)))
                            .as("%s after the death of %s", variant, victim.name())
                            .isEqualTo(new LocalHttp.Answer(200, "[{\"1\":1},{\"2\":4},{\"3\":9}]"));
                }
            }
        } finally {
            commands.run("down", offset);
        }
    }
}

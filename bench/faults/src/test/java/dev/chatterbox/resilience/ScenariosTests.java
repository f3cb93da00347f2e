package dev.chatterbox.resilience;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.chatterbox.stack.UsageException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class ScenariosTests {

    @Test
    void withoutNamesAllCasesOfCallsAreChosen() {
        assertThat(named()).hasSize(21).extracting(Scenario::name).contains("broker-killed", "two-nodes-killed");
        assertThat(named())
                .noneMatch(QueueCase.class::isInstance)
                .noneMatch(BacklogCase.class::isInstance)
                .noneMatch(DiskCase.class::isInstance);
    }

    @Test
    void aNameChoosesAllCasesThatHaveIt() {
        assertThat(named("queue-link-cut")).hasSize(3).allMatch(QueueCase.class::isInstance);
        assertThat(named("queue")).hasSize(18).allMatch(QueueCase.class::isInstance);
        assertThat(named("queue", "link-cut", "link-cut")).hasSize(19);
        assertThatThrownBy(() -> named("pigeon"))
                .isInstanceOf(UsageException.class)
                .hasMessageStartingWith("There is no case 'pigeon'. There are: responder-killed, ")
                .hasMessageEndingWith(", backlog, power, power-500, power-one-node, disk-full, queue");
    }

    @Test
    void onlyBacklogsAndDisksNeedNoNetwork() {
        assertThat(named("backlog")).hasSize(2).noneMatch(Scenario::needsNetwork);
        assertThat(named("power", "power-500", "disk-full")).hasSize(7).noneMatch(Scenario::needsNetwork);
        assertThat(named("queue", "responder-killed", "two-nodes-killed")).allMatch(Scenario::needsNetwork);
    }

    @Test
    void aPhaseIsAlsoHowLongConsumersAreHeld() {
        List<Scenario> usual = named("backlog");
        List<Scenario> longer = Scenarios.named(List.of("backlog"), Optional.of(Duration.ofSeconds(20)));

        assertThat(longer.get(1).seconds()).isEqualTo(2 * usual.get(1).seconds());
    }

    @Test
    void aPhaseIsAlsoHowLongMessagesArePublishedBeforeADiskFails() {
        List<Scenario> longer = Scenarios.named(List.of("power"), Optional.of(Duration.ofSeconds(60)));

        assertThat(longer.get(0).seconds()).isEqualTo(named("power").get(0).seconds() + 50);
    }

    private static List<Scenario> named(String... names) {
        return Scenarios.named(List.of(names), Optional.empty());
    }
}

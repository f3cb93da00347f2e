package dev.chatterbox.processes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionFactory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class ChildProcessTests {

    private static final Duration PATIENCE = Duration.ofMinutes(1);

    @TempDir
    Path directory;

    private ChildProcess process;

    @AfterEach
    void stop() {
        if (process != null) {
            process.stop(Duration.ZERO);
        }
    }

    @ParameterizedTest
    @EnumSource
    void knowsThePidOfTheProgramItself(Lifetime lifetime) {
        start(lifetime, "echo \"I am $$\"; exec sleep 60");

        await().untilAsserted(() -> assertThat(process.tail(1)).containsExactly("I am " + process.pid()));
        assertThat(process.isAlive()).isTrue();
    }

    @Test
    void givesArgumentsOnUnchanged() throws IOException {
        ProcessBuilder builder =
                new ProcessBuilder("printf", "%s|", "a b", "$HOME", "'", "").directory(directory.toFile());
        process = ChildProcess.start("child", builder, log(), Lifetime.WITH_PARENT);

        await().until(() -> !process.isAlive());
        assertThat(Files.readString(log())).isEqualTo("a b|$HOME|'||");
    }

    @Test
    void stopsWithinTheGraceWhenTheProcessHeedsSigterm() {
        start(Lifetime.WITH_PARENT, "trap 'echo bye; exit' TERM; echo ready; while :; do sleep 0.05; done");
        process.awaitReady(() -> process.tail(1).contains("ready"), PATIENCE);

        process.stop(PATIENCE);

        assertThat(process.isAlive()).isFalse();
        assertThat(process.tail(1)).containsExactly("bye");
    }

    @Test
    void killsAProcessThatIgnoresSigterm() {
        start(Lifetime.WITH_PARENT, "trap '' TERM; echo ready; while :; do sleep 0.05; done");
        process.awaitReady(() -> process.tail(1).contains("ready"), PATIENCE);

        process.stop(Duration.ofMillis(300));

        assertThat(process.isAlive()).isFalse();
    }

    @Test
    void freezesAndLetsGoOn() {
        start(Lifetime.WITH_PARENT, "while :; do echo tick; sleep 0.02; done");
        await().until(() -> !process.tail(1).isEmpty());
        assertThat(process.isFrozen()).isFalse();

        process.freeze();

        await().until(process::isFrozen);
        assertThat(process.isAlive()).isTrue();
        int ticks = process.tail(Integer.MAX_VALUE).size();
        process.resume();
        await().until(() -> process.tail(Integer.MAX_VALUE).size() > ticks);
        assertThat(process.isFrozen()).isFalse();
    }

    @Test
    void stopsAFrozenProcessInOrder() {
        start(Lifetime.WITH_PARENT, "trap 'echo bye; exit' TERM; echo ready; while :; do sleep 0.05; done");
        process.awaitReady(() -> process.tail(1).contains("ready"), PATIENCE);
        process.freeze();
        await().until(process::isFrozen);

        process.stop(PATIENCE);

        assertThat(process.isAlive()).isFalse();
        assertThat(process.tail(1)).containsExactly("bye");
        assertThatThrownBy(process::freeze).isInstanceOf(ProcessException.class).hasMessageContaining("has ended");
    }

    @Test
    void leavesRunningWhatDoesNotAnswerAndWasThereBefore() {
        start(Lifetime.WITH_PARENT, "exec sleep 60");

        assertThatThrownBy(() -> process.await(() -> false, Duration.ofMillis(200)))
                .hasMessageContaining("was not ready after 0 s");
        assertThat(process.isAlive()).isTrue();
    }

    @Test
    void leavesNoWatcherBehindWhenTheChildEndsFirst() {
        start(Lifetime.WITH_PARENT, "exec sleep 60");
        await().until(() -> process.pid() > 0 && children() == 1);
        List<ProcessHandle> watcher =
                ProcessHandle.of(process.pid()).orElseThrow().children().toList();

        process.stop(PATIENCE);

        await().until(() -> watcher.stream().noneMatch(ProcessHandle::isAlive));
    }

    @Test
    void saysWhyAProcessEndedWhileItWasStarting() {
        start(Lifetime.WITH_PARENT, "echo 'no such luck'; printf '\\tat java.lang.Thread.run(Thread.java)\\n'; exit 3");

        assertThatThrownBy(() -> process.awaitReady(() -> false, PATIENCE))
                .isInstanceOf(ProcessException.class)
                .hasMessageContaining("child ended while it was starting")
                .hasMessageContaining(log().toString())
                .hasMessageContaining("no such luck")
                .hasMessageNotContaining("Thread.java");
    }

    @Test
    void stopsAProcessThatIsNotReadyInTime() {
        start(Lifetime.WITH_PARENT, "exec sleep 60");

        assertThatThrownBy(() -> process.awaitReady(
                        () -> {
                            throw new IOException("not yet");
                        },
                        Duration.ofMillis(200)))
                .hasMessageContaining("was not ready after 0 s and wrote nothing");
        assertThat(process.isAlive()).isFalse();
    }

    @Test
    void stopsAProcessWhoseStarterIsInterrupted() {
        start(Lifetime.WITH_PARENT, "exec sleep 60");
        Thread.currentThread().interrupt();

        assertThatThrownBy(() -> process.awaitReady(() -> false, PATIENCE)).hasMessageContaining("interrupted");
        assertThat(Thread.interrupted()).isTrue();
        assertThat(process.isAlive()).isFalse();
    }

    @Test
    void saysThatAProgramDoesNotExist() {
        ProcessBuilder builder = new ProcessBuilder("/no/such/program").directory(directory.toFile());

        assertThatThrownBy(() -> ChildProcess.start("child", builder, log(), Lifetime.WITH_PARENT)
                        .awaitReady(() -> false, PATIENCE))
                .isInstanceOf(ProcessException.class)
                .hasMessageContaining("/no/such/program");
    }

    @Test
    void tellsOfItsOwnLinesOnlyWhenTheLogIsAppendedTo() throws IOException {
        Files.writeString(log(), "an earlier run\n");
        start(Lifetime.WITH_PARENT, "echo this run");

        await().until(() -> !process.isAlive());
        assertThat(process.tail(10)).containsExactly("this run");
        assertThat(Files.readAllLines(log())).containsExactly("an earlier run", "this run");
    }

    @Test
    void findsAProcessAgainByPidAndStart() {
        start(Lifetime.DETACHED, "exec sleep 60");
        assertThat(ChildProcess.find("child", process.pid(), process.start(), log()))
                .hasValueSatisfying(found -> found.stop(PATIENCE));
        assertThat(process.isAlive()).isFalse();
    }

    /** The instant of a process' start moves when the clock is set. */
    @Test
    void findsAProcessAgainAfterTheClockWasSet() throws IOException {
        start(Lifetime.DETACHED, "exec sleep 60");

        String stat = Files.readString(Path.of("/proc/%d/stat".formatted(process.pid())));
        assertThat(process.start())
                .as("a count since the boot, and no time of day")
                .matches("boot [0-9a-f-]{36} tick \\d+")
                .endsWith(" " + stat.substring(stat.lastIndexOf(')')).split(" ")[20]);
    }

    @Test
    void takesARecycledPidForAnotherProcess() {
        start(Lifetime.DETACHED, "exec sleep 60");

        assertThat(ChildProcess.find("child", process.pid(), process.start() + "0", log()))
                .isEmpty();
        assertThat(ChildProcess.find("child", process.pid(), "", log())).isEmpty();
    }

    private void start(Lifetime lifetime, String script) {
        ProcessBuilder builder = new ProcessBuilder("sh", "-c", script).directory(directory.toFile());
        process = ChildProcess.start("child", builder, log(), lifetime);
    }

    private long children() {
        return ProcessHandle.of(process.pid()).stream()
                .flatMap(ProcessHandle::children)
                .count();
    }

    private Path log() {
        return directory.resolve("child.log");
    }

    /** As long as a busy machine takes. */
    private static ConditionFactory await() {
        return Awaitility.await().atMost(PATIENCE);
    }
}

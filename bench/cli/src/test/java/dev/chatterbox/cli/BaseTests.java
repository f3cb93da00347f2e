package dev.chatterbox.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.chatterbox.processes.Command;
import dev.chatterbox.stack.Repository;
import dev.chatterbox.stack.UsageException;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class BaseTests {

    private static final Duration TIMEOUT = Duration.ofSeconds(30);

    private final Terminal terminal =
            new Terminal(new PrintStream(OutputStream.nullOutputStream()), System.err, false, false);

    @TempDir
    Path root;

    /** A killed run has no time to remove its worktree itself. */
    @Test
    void removesTheWorktreeOfARunThatWasKilled() throws Exception {
        git("init", "--quiet");
        commit("chatterbox", "variants/one.properties", "bench/clients/pom.xml");
        Process killed = new ProcessBuilder("true").start();
        killed.waitFor();
        Path left = root.resolve(".chatterbox/base-" + killed.pid());
        Path other = root.resolve("base-" + killed.pid());
        git("worktree", "add", "--quiet", "--detach", left.toString());
        git("worktree", "add", "--quiet", "--detach", other.toString());
        long pid = ProcessHandle.current().pid();
        // The pid of this process, which another process had before it.
        Path reused = root.resolve(".chatterbox/base-%d-1".formatted(pid));
        git("worktree", "add", "--quiet", "--detach", reused.toString());
        Path hook = Files.writeString(root.resolve(".git/hooks/post-checkout"), "#!/bin/sh\nexit 1\n");
        assertThat(hook.toFile().setExecutable(true)).isTrue();
        Path own = root.resolve(".chatterbox/base-" + pid);

        try (Base base = Base.of(repository(), "HEAD", terminal)) {
            assertThat(base).isNotNull();
            assertThat(left).doesNotExist();
            assertThat(reused).doesNotExist();
            assertThat(other).isDirectory();
            assertThat(own).isDirectory();
        }

        assertThat(own).doesNotExist();
    }

    /** It looks where the folder was created that the base has not, because a commit tells more than a path. */
    @Test
    void refusesACommitWithAnotherLayoutAndNamesTheFirstThatHasThisOne() throws IOException {
        git("init", "--quiet");
        commit("chatterbox", "variants/one.properties");
        commit("bench/clients/pom.xml");
        String first = Command.run(TIMEOUT, List.of("git", "-C", root.toString(), "rev-parse", "--short", "HEAD"));
        commit("bench/clients/Client.java");

        assertThatThrownBy(() -> Base.of(repository(), "HEAD~2", terminal))
                .isInstanceOf(UsageException.class)
                .hasMessage("--against HEAD~2 cannot be compared with this version: it has no bench/clients;"
                        + " the first commit that has it is " + first + ".");

        assertThat(root.resolve(".chatterbox")).isEmptyDirectory();
    }

    @Test
    void refusesACommitInTheCheckoutOfSomethingElse() throws IOException {
        git("init", "--quiet");
        commit("a");
        Repository inner = new Repository(Files.createDirectory(root.resolve("inner")), Optional.empty());

        assertThatThrownBy(() -> Base.of(inner, "HEAD", terminal))
                .isInstanceOf(UsageException.class)
                .hasMessageContaining("is not the root of a checkout");
    }

    @Test
    void refusesAFolderWithoutChatterbox(@TempDir Path folder) {
        assertThatThrownBy(() -> Base.of(repository(), folder.toString(), terminal))
                .isInstanceOf(UsageException.class)
                .hasMessageContaining("it has no chatterbox.");
    }

    private Repository repository() {
        return new Repository(root, Optional.empty());
    }

    private void commit(String... files) throws IOException {
        for (String file : files) {
            Files.createDirectories(root.resolve(file).getParent());
            Files.createFile(root.resolve(file));
        }
        git("add", ".");
        git("-c", "user.name=a", "-c", "user.email=a@b", "commit", "--quiet", "--message=one");
    }

    private void git(String... arguments) throws IOException {
        List<String> command = new ArrayList<>(List.of("git", "-C", root.toString()));
        command.addAll(List.of(arguments));
        Command.run(TIMEOUT, command);
    }
}

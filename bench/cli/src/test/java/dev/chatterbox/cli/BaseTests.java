package dev.chatterbox.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.chatterbox.processes.Command;
import dev.chatterbox.stack.Repository;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class BaseTests {

    private final Terminal terminal =
            new Terminal(new PrintStream(OutputStream.nullOutputStream()), System.err, false, false);

    @TempDir
    Path root;

    /** A killed run has no time to remove its worktree itself. */
    @Test
    void removesTheWorktreeOfARunThatWasKilled() throws Exception {
        git("init", "--quiet");
        git("-c", "user.name=a", "-c", "user.email=a@b", "commit", "--quiet", "--allow-empty", "--message=one");
        Process killed = new ProcessBuilder("true").start();
        killed.waitFor();
        Path left = root.resolve(".chatterbox/base-" + killed.pid());
        Path other = root.resolve("base-" + killed.pid());
        git("worktree", "add", "--quiet", "--detach", left.toString());
        git("worktree", "add", "--quiet", "--detach", other.toString());
        Path own = root.resolve(".chatterbox/base-" + ProcessHandle.current().pid());

        try (Base base = Base.of(new Repository(root, Optional.empty()), "HEAD", terminal)) {
            assertThat(base).isNotNull();
            assertThat(left).doesNotExist();
            assertThat(other).isDirectory();
            assertThat(own).isDirectory();
        }

        assertThat(own).doesNotExist();
    }

    private void git(String... arguments) throws IOException {
        List<String> command = new ArrayList<>(List.of("git", "-C", root.toString()));
        command.addAll(List.of(arguments));
        Command.run(Duration.ofSeconds(30), command);
    }
}

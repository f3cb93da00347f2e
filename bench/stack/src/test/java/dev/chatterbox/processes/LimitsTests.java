package dev.chatterbox.processes;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LimitsTests {

    private static final String LIMITS = """
            Limit                     Soft Limit           Hard Limit           Units
            Max stack size            8388608              unlimited            bytes
            Max processes             %s                   unlimited            processes
            Max open files            %s                   1048576              files
            """;

    @TempDir
    private Path cgroup;

    private List<String> lacks(String processes, String openFiles) {
        return Limits.lacks(file -> Optional.of(LIMITS.formatted(processes, openFiles)), cgroup);
    }

    @Test
    void enoughOrUnlimitedLacksNothing() {
        assertThat(lacks("unlimited", "1048576")).isEmpty();
        assertThat(Limits.lacks(file -> Optional.empty(), cgroup)).isEmpty();
    }

    @Test
    void tooFewOpenFilesAreSaidWithTheCommandThatRaisesThem() {
        assertThat(lacks("96365", "256"))
                .singleElement()
                .asString()
                .startsWith("at most 256 files may be open in a process here, and a stack needs 4096")
                .contains("ulimit -n 4096");
    }

    @Test
    void theContainerMayAllowFewerProcessesThanTheUser() throws IOException {
        Files.writeString(cgroup.resolve("pids.max"), "512\n");

        assertThat(lacks("96365", "20000")).singleElement().asString().startsWith("at most 512 processes and threads");
    }

    @Test
    void aContainerWithoutALimitAllowsWhatTheUserMay() throws IOException {
        Files.createDirectories(cgroup.resolve("pids"));
        Files.writeString(cgroup.resolve("pids").resolve("pids.max"), "max\n");

        assertThat(lacks("96365", "20000")).isEmpty();
    }
}

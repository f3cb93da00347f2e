package dev.chatterbox.processes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;

/** Tests the commands that replace {@code /proc} on macOS. Linux has them, too. */
@DisabledOnOs(OS.WINDOWS)
class PosixTests {

    private final long pid = ProcessHandle.current().pid();

    @Test
    void psShowsMemoryInKilobytes() {
        long kilobytes = Proc.ps("rss", pid).map(Long::valueOf).orElseThrow();

        assertThat(kilobytes << 10)
                .isBetween(
                        ProcessMemory.resident(pid).orElseThrow() / 2,
                        ProcessMemory.resident(pid).orElseThrow() * 2);
        assertThat(Proc.ps("rss", Integer.MAX_VALUE)).isEmpty();
    }

    @Test
    void lsofShowsWhoListens() throws IOException {
        assumeThat(Stream.of("/usr/bin/lsof", "/usr/sbin/lsof").map(Path::of)).anyMatch(Files::exists);
        int port;
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            port = socket.getLocalPort();
            assertThat(Ports.pidFromLsof(port)).isEqualTo(Optional.of(pid));
        }
        assertThat(Ports.pidFromLsof(port)).isEmpty();
    }
}

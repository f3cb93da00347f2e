package dev.chatterbox.processes;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PortsTests {

    @Test
    void findsDistinctFreePorts() {
        assertThat(Ports.free(10))
                .doesNotHaveDuplicates()
                .hasSize(10)
                .allSatisfy(port -> assertThat(Ports.owner(port)).isEmpty());
    }

    @Test
    void reservesAPortOnceAlsoForOtherProcesses() throws Exception {
        int port = Ports.free(1).get(0);

        assertThat(Ports.reserve(port)).isFalse();
        Process other = new ProcessBuilder(JavaCommand.of(List.of(
                        "-cp",
                        System.getProperty("java.class.path"),
                        Reserving.class.getName(),
                        Integer.toString(port))))
                .start();
        assertThat(other.inputReader().readLine()).isEqualTo("false");
    }

    /** Prints whether it can reserve a port. */
    static final class Reserving {
        public static void main(String[] arguments) {
            System.out.println(Ports.reserve(Integer.parseInt(arguments[0])));
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"127.0.0.1", "0.0.0.0", "::"})
    void namesTheOwnerOfABusyPort(String address) throws IOException {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getByName(address))) {
            assertThat(Ports.owner(socket.getLocalPort()))
                    .hasValueSatisfying(owner -> assertThat(owner)
                            .contains("pid " + ProcessHandle.current().pid())
                            .contains("java"));
        }
    }
}

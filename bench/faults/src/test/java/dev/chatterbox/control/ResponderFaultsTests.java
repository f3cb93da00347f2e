package dev.chatterbox.control;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpServer;
import dev.chatterbox.processes.ChildProcess;
import dev.chatterbox.processes.Lifetime;
import dev.chatterbox.processes.ProcessException;
import dev.chatterbox.stack.Control;
import dev.chatterbox.stack.Member;
import dev.chatterbox.stack.Repository;
import dev.chatterbox.stack.Stack;
import dev.chatterbox.stack.UsageException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests a responder that reports its faults, in every form that occurs. */
class ResponderFaultsTests {

    @TempDir
    private Path directory;

    private HttpServer server;
    private int status = 200;
    private String body = "";

    @BeforeEach
    void start() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/faults", exchange -> {
            try (exchange) {
                byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
                exchange.sendResponseHeaders(status, bytes.length);
                exchange.getResponseBody().write(bytes);
            }
        });
        server.start();
    }

    @AfterEach
    void stop() {
        server.stop(0);
    }

    @Test
    void readsWhatIsReported() {
        body = "{\"delay\":\"PT0.02S\",\"drop\":0.5,\"wrong\":0.25,\"further\":true}";
        assertThat(faults()).isEqualTo(new ResponderFaults(Duration.ofMillis(20), 0.5, 0.25));
        assertThat(faults().text()).isEqualTo("delay 20 ms, drop 0.5, wrong 0.25");
    }

    /** One responder, whose program may be a stranger's, must not spoil the state of a whole stack. */
    @Test
    void takesWhatIsNotReportedAsOff() {
        body = "{\"drop\":0.5}";
        assertThat(faults()).isEqualTo(new ResponderFaults(Duration.ZERO, 0.5, 0));
        body = "[{\"1\":1}]";
        assertThat(faults().isOn()).isFalse();
    }

    @Test
    void saysWhyAValueIsRefused() {
        status = 400;
        body = "{\"detail\":\"drop must be 0 to 1\"}";
        assertThatThrownBy(() -> ResponderFaults.set(stack(), responder(), Map.of("drop", 2)))
                .isInstanceOf(UsageException.class)
                .hasMessage("one: drop must be 0 to 1");
        status = 404;
        assertThatThrownBy(this::faults)
                .isInstanceOf(ProcessException.class)
                .hasMessage("one does not report its faults: /faults answers 404.");
    }

    @ParameterizedTest
    @ValueSource(strings = {"{\"delay\":\"100ms\"}", "{\"delay\":", "nobody knows"})
    void aResponderThatAnswersOddlySpoilsNoStatus(String odd) {
        body = odd;
        ChildProcess process = ChildProcess.start(
                "one", new ProcessBuilder("sleep", "60"), directory.resolve("log"), Lifetime.WITH_PARENT);
        try {
            Stack stack = stack();
            stack.record(new Member(
                    Member.Kind.SERVICE,
                    "one",
                    process.pid(),
                    process.start(),
                    server.getAddress().getPort(),
                    "/faults",
                    "/faults"));

            assertThat(StackStatus.of(stack).processes()).singleElement().satisfies(status -> {
                assertThat(status.isUp()).isTrue();
                assertThat(status.faults()).isEmpty();
            });
            assertThatThrownBy(() -> new StackFaults(stack, new Control(getClass()), Lifetime.WITH_PARENT)
                            .set(null, Map.of("drop", 0)))
                    .isInstanceOf(ProcessException.class)
                    .hasMessage("one does not report its faults: /faults answers %s.", odd);
        } finally {
            process.stop(Duration.ZERO);
        }
    }

    @Test
    void saysWhyAValueIsRefusedAlsoIfTheReasonIsNoJson() {
        status = 400;
        body = "no such fault";
        assertThatThrownBy(() -> ResponderFaults.set(stack(), responder(), Map.of("drop", 2)))
                .isInstanceOf(UsageException.class)
                .hasMessage("one: no such fault");
    }

    private ResponderFaults faults() {
        return ResponderFaults.of(stack(), responder(), Duration.ofSeconds(5));
    }

    private Stack stack() {
        return new Stack(Repository.of(Map.of()), 0, directory);
    }

    private Member responder() {
        return new Member(Member.Kind.SERVICE, "one", 1, "", server.getAddress().getPort(), "/health", "/faults");
    }
}

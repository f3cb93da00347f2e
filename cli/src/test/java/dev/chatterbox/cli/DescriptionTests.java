package dev.chatterbox.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.chatterbox.brokers.NatsServer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What is read from files: transports, and the plan and the state of a stack. */
class DescriptionTests {

    @TempDir
    Path root;

    private Repository repository;

    @BeforeEach
    void create() throws IOException {
        repository = FakeRepository.create(root);
    }

    @Test
    void findsTheTransportsThatAreThere() throws IOException {
        FakeRepository.transport(root, "another", 7600, "");
        Files.createDirectories(root.resolve("square-service-common"));

        assertThat(repository.transports()).extracting(Transport::name).containsExactly("another", "one", "two");
        assertThat(repository.transports().get(2).broker()).contains(NatsServer.class);
    }

    @Test
    void plansEveryPortWithTheOffset() {
        Plan plan = Plan.of(repository, repository.stack(100));

        assertThat(plan.ports())
                .extracting(use -> use.getKey() + " " + use.getValue())
                .containsExactly(
                        "7675 square-service-one",
                        "7676 square-service-two",
                        "8180 aggregator-service",
                        "4322 nats client",
                        "8322 nats monitor");
        assertThat(plan.environment()).containsEntry("FAKE_URL", "http://localhost:7675");
    }

    @Test
    void startsABrokerOnceForTransportsThatShareIt() throws IOException {
        FakeRepository.transport(root, "three", 7600, "broker=dev.chatterbox.brokers.NatsServer");

        assertThat(Plan.of(repository, repository.stack(0)).brokers()).hasSize(1);
    }

    @ParameterizedTest
    @CsvSource({"57313, true", "57314, false", "-4221, true", "-4222, false", "2147483647, false"})
    void keepsPortsInTheirRange(int offset, boolean valid) {
        if (valid) {
            assertThat(Plan.of(repository, repository.stack(offset)).services()).hasSize(3);
        } else {
            assertThatThrownBy(() -> Plan.of(repository, repository.stack(offset)))
                    .isInstanceOf(CliException.class)
                    .hasMessageContaining("--port-offset " + offset)
                    .extracting(e -> ((CliException) e).exitCode())
                    .isEqualTo(2);
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "port=1",
                "name=Upper Case\nport=1",
                "name=x",
                "name=x\nport=http",
                "name=x\nport=1\nbroker=no.such.Broker",
                "name=x\nport=1\nbroker=java.lang.String",
                "name=\\u00"
            })
    void saysWhichDescriptionIsWrong(String description) throws IOException {
        Files.writeString(root.resolve("square-service-one/transport.properties"), description);

        assertThatThrownBy(repository::transports)
                .isInstanceOf(CliException.class)
                .hasMessageContaining("square-service-one");
    }

    @Test
    void saysThatThereIsNoCheckout() {
        assertThatThrownBy(() ->
                        new Repository(root.resolve("cli").getParent().resolve("square-service-one")).transports())
                .isInstanceOf(CliException.class)
                .hasMessageContaining("CHATTERBOX_HOME");
    }

    @Test
    void saysThatAServiceIsNotBuilt() {
        assertThatThrownBy(() -> repository.jar("square-service-three"))
                .hasMessageContaining("square-service-three is not built");
    }

    @Test
    void takesTheNewestJar() throws IOException {
        Path newer = root.resolve("square-service-one/target/square-service-one-2-exec.jar");
        Files.createFile(newer);
        assertThat(newer.toFile().setLastModified(System.currentTimeMillis() + 10_000))
                .isTrue();

        assertThat(repository.jar("square-service-one")).isEqualTo(newer);
    }

    @Test
    void readsTheStateBackButForALineThatACrashCutShort() throws IOException {
        Stack stack = repository.stack(7);
        Member member = new Member(Member.Kind.BROKER, "nats", 4711, Instant.parse("2026-11-20T10:00:00.010Z"), 4229);
        Files.createDirectories(stack.directory());
        stack.record(member);
        Files.writeString(stack.directory().resolve("processes.tsv"), "SERVICE\tsquare", StandardOpenOption.APPEND);

        assertThat(stack.members()).containsExactly(member);
        assertThat(repository.stacks()).containsExactly(stack);
        stack.forget();
        assertThat(repository.stacks()).isEmpty();
    }

    @Test
    void keepsNothingButLogs() throws IOException {
        Stack stack = repository.stack(7);
        Files.createDirectories(stack.directory().resolve("kafka/data/topic-0"));
        Files.createDirectories(stack.logs());
        Files.writeString(stack.log("kafka"), "old");

        stack.forget();
        assertThat(stack.directory()).isDirectoryNotContaining("glob:**/kafka");
        assertThat(stack.log("kafka")).hasContent("old");

        stack.clear();
        assertThat(stack.directory()).isEmptyDirectory();
    }

    @ParameterizedTest
    @CsvSource({"3.8.7, true", "3.8.6, false", "3.9.0, true", "3.10.1, true", "4.0.0, true", "not on the PATH, false"})
    void knowsWhichMavenIsEnough(String version, boolean enough) {
        assertThat(Doctor.isMaven387(version)).isEqualTo(enough);
    }

    @ParameterizedTest
    @CsvSource({"PT0.26S, 0.2 s", "PT59.99S, 59.9 s", "PT61S, 1 m 01 s", "PT25H5M, 25 h 05 m"})
    void writesDurationsForPeople(Duration duration, String expected) {
        assertThat(Status.readable(duration)).isEqualTo(expected);
    }

    @Test
    void listsStacksByOffset() throws IOException {
        for (int offset : List.of(1000, 0, -5)) {
            Files.createDirectories(repository.stack(offset).directory());
            repository.stack(offset).record(new Member(Member.Kind.SERVICE, "x", 1, Instant.EPOCH, 1));
        }
        Files.createDirectories(root.resolve(".chatterbox/stack-old"));

        assertThat(repository.stacks()).extracting(Stack::offset).containsExactly(-5, 0, 1000);
    }
}

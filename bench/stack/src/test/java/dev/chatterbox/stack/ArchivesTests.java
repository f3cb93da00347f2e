package dev.chatterbox.stack;

import static org.assertj.core.api.Assertions.assertThat;

import dev.chatterbox.processes.ChildProcess;
import dev.chatterbox.processes.JavaCommand;
import dev.chatterbox.processes.Lifetime;
import dev.chatterbox.processes.LocalHttp;
import dev.chatterbox.processes.Ports;
import dev.chatterbox.processes.ProcessException;
import java.io.IOException;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

class ArchivesTests {

    private static final String NAME = "square-service-one";

    @TempDir
    Path root;

    private final List<String> lines = new ArrayList<>();
    private final int port = Ports.free(1).get(0);
    private Repository repository;
    private Path built;
    private int trainings;

    @BeforeEach
    void create() throws IOException {
        repository = FakeRepository.create(root);
        built = root.resolve("square-service-one/target/square-service-one-1-exec.jar");
    }

    @Test
    void makesAnArchiveOnceAndStartsFromIt() {
        List<String> flags = prepare(true);

        assertThat(flags)
                .singleElement()
                .asString()
                .contains(root.resolve(".chatterbox/archives").toString());
        assertThat(prepare(true)).isEqualTo(flags);
        assertThat(trainings).isOne();
        assertThat(lines).containsExactly("done archive for " + NAME);
        assertThatItRuns(flags);
    }

    @Test
    @EnabledOnOs(OS.LINUX)
    void usesTheArchive() throws IOException {
        Path archive = archive(prepare(true));
        ChildProcess process = start(prepare(true), root, root.resolve("run.log"));
        try {
            assertThat(Files.readString(Path.of("/proc", Long.toString(process.pid()), "maps")))
                    .contains(archive.toString());
        } finally {
            process.stop(Duration.ofSeconds(5));
        }
    }

    @Test
    void startsWithoutAnArchiveThatIsBrokenOrGone() throws IOException {
        List<String> flags = prepare(true);

        Path archive = archive(flags);
        Files.delete(archive);
        Files.writeString(archive, "this is no archive");
        assertThatItRuns(flags);

        Files.delete(archive);
        assertThatItRuns(flags);
    }

    @Test
    void startsWithoutAnArchiveWhereNoneCanBeMadeAndDoesNotTryAgain() {
        Archives.Training dies = (flags, folder, log) -> {
            trainings++;
            throw new ProcessException("no luck today");
        };
        for (int start = 1; start <= 2; start++) {
            try (Archives archives = open(true)) {
                assertThat(archives.flags(NAME, archives.unpacked(NAME, built), dies))
                        .isEmpty();
            }
        }

        assertThat(trainings).isOne();
        assertThat(lines).singleElement().asString().contains("No archive", "archive-" + NAME + ".log");
        assertThat(root.resolve(".chatterbox/logs/archive-" + NAME + ".log"))
                .content()
                .contains("no luck today");
    }

    @Test
    void makesNoneWhereNoneIsWanted() {
        assertThat(prepare(false)).isEmpty();
        assertThat(trainings).isZero();
    }

    @Test
    void keepsWhatWasMadeOfAJarThatWasBuiltAgainAlike() throws IOException {
        Path jar = unpacked();
        Files.setLastModifiedTime(built, FileTime.from(Instant.now().plusSeconds(60)));

        assertThat(unpacked()).isEqualTo(jar);
    }

    @Test
    void forgetsWhatWasMadeOfOlderJarsButWhatAStackRuns() throws IOException {
        Path first = unpacked();
        Stack stack = repository.stack(3);
        Files.createDirectories(stack.directory());
        stack.record(new StackState(
                List.of("one"), Map.of(), Map.of(), "", "", Map.of(NAME, first), StackState.NetworkPorts.NONE));

        change(built);
        Path second = unpacked();
        assertThat(second).isNotEqualTo(first).exists();
        assertThat(first).as("a stack runs it").exists();

        change(built);
        assertThat(unpacked()).exists();
        assertThat(second).as("nobody runs it").doesNotExist();
        assertThat(first).exists();

        stack.forget();
        change(built);
        unpacked();
        assertThat(first).doesNotExist();
    }

    @Test
    void forgetsTheArchivesOfOtherJdks() throws IOException {
        Path old = Files.writeString(unpacked().getParent().getParent().resolve("16.0-Nobody.jsa"), "old");

        prepare(true);

        assertThat(old).doesNotExist();
    }

    @Test
    void knowsAProgramThatLiesElsewhereByItsFiles() throws IOException {
        Path jar = Files.copy(built, root.resolve("broker.jar"));
        List<String> flags = prepareClassPath(jar);
        assertThat(prepareClassPath(jar)).isEqualTo(flags);
        assertThat(trainings).isOne();

        Files.setLastModifiedTime(jar, FileTime.from(Instant.now().plusSeconds(60)));
        assertThat(prepareClassPath(jar)).isNotEqualTo(flags);
        assertThat(archive(flags)).doesNotExist();
    }

    @Test
    void waitsWhileAnotherStackIsPrepared() throws Exception {
        Process other = new ProcessBuilder(JavaCommand.of(
                        List.of("-cp", System.getProperty("java.class.path"), Holder.class.getName(), root.toString())))
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        try {
            assertThat(other.inputReader().readLine()).isEqualTo("open");
            CompletableFuture<Void> opened =
                    CompletableFuture.runAsync(() -> open(true).close());
            assertThat(opened).isNotDone();
            other.getOutputStream().close();
            assertThat(opened).succeedsWithin(20, TimeUnit.SECONDS);
            assertThat(other.waitFor()).isZero();
        } finally {
            other.destroyForcibly();
        }
    }

    /** Keeps the archives of a checkout open until its input ends. */
    static final class Holder {
        public static void main(String[] args) throws IOException {
            try (Archives archives = Archives.open(new Repository(Path.of(args[0])), Steps.SILENT, true)) {
                System.out.println("open");
                System.in.read();
            }
        }
    }

    private List<String> prepare(boolean wanted) {
        try (Archives archives = open(wanted)) {
            return archives.flags(NAME, archives.unpacked(NAME, built), this::start);
        }
    }

    private List<String> prepareClassPath(Path jar) {
        try (Archives archives = open(true)) {
            return archives.flags(NAME, List.of(jar), this::start);
        }
    }

    private Path unpacked() {
        try (Archives archives = open(true)) {
            return archives.unpacked(NAME, built);
        }
    }

    private Archives open(boolean wanted) {
        return Archives.open(
                repository,
                new Steps() {
                    @Override
                    public void line(String text) {
                        lines.add(text);
                    }

                    @Override
                    public void progress(String text) {}

                    @Override
                    public void done(String what, double seconds) {
                        lines.add("done " + what);
                    }
                },
                wanted);
    }

    private static Path archive(List<String> flags) {
        return Path.of(flags.get(0).substring(flags.get(0).indexOf('=') + 1));
    }

    private void assertThatItRuns(List<String> flags) {
        start(flags, root, root.resolve("run.log")).stop(Duration.ofSeconds(5));
    }

    /** Every unpacked jar is the same program, so the first one that there is will do. */
    private ChildProcess start(List<String> flags, Path folder, Path log) {
        trainings++;
        List<String> java = new ArrayList<>(flags);
        java.addAll(List.of("-jar", jarToRun().toString()));
        ProcessBuilder builder = new ProcessBuilder(JavaCommand.of(java));
        builder.environment().putAll(Map.of("SERVER_ADDRESS", "127.0.0.1", "SERVER_PORT", Integer.toString(port)));
        ChildProcess process = ChildProcess.start(NAME, builder, log, Lifetime.WITH_PARENT);
        process.awaitReady(() -> LocalHttp.get(port, "/well").status() == 200, Duration.ofSeconds(30));
        return process;
    }

    private Path jarToRun() {
        Path archives = root.resolve(".chatterbox/archives");
        try (Stream<Path> files = Files.walk(archives)) {
            return files.filter(file -> file.toString().endsWith("-exec.jar"))
                    .findFirst()
                    .orElse(root.resolve("broker.jar"));
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    private static void change(Path jar) throws IOException {
        try (FileSystem file = FileSystems.newFileSystem(jar)) {
            Files.writeString(file.getPath("change"), "x", StandardOpenOption.CREATE, StandardOpenOption.APPEND);
        }
    }
}

package dev.chatterbox.stack;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.chatterbox.network.NetworkPlan;
import dev.chatterbox.processes.ChildProcess;
import dev.chatterbox.processes.JavaCommand;
import dev.chatterbox.processes.Lifetime;
import dev.chatterbox.processes.LocalHttp;
import dev.chatterbox.processes.Ports;
import dev.chatterbox.processes.ProcessException;
import dev.chatterbox.processes.programs.Cache;
import java.io.IOException;
import java.io.UncheckedIOException;
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
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

class ArchivesTests {

    private static final String NAME = "square-service-one";
    private static final Duration PATIENCE = Duration.ofMinutes(1);

    @TempDir
    Path root;

    @TempDir
    Path record;

    private final List<String> lines = new CopyOnWriteArrayList<>();
    private final int port = Ports.free(1).get(0);
    private Repository repository;
    private Archives background;
    private Path built;
    private int trainings;

    @BeforeEach
    void create() throws IOException {
        repository = FakeRepository.create(root);
        background = new Archives(repository, record);
        built = root.resolve("square-service-one/target/square-service-one-1-exec.jar");
    }

    @AfterEach
    void stop() throws IOException {
        background.stop();
    }

    @Test
    void makesAnArchiveOnceAndStartsFromIt() throws IOException {
        Path jar = unpacked();
        assertThat(flags(jar)).isEmpty();

        make(jar);

        assertThat(flags(jar))
                .singleElement()
                .asString()
                .contains(root.resolve(".chatterbox/archives").toString());
        make(jar);
        assertThat(trainings).isOne();
        assertThatItRuns(flags(jar));
    }

    @Test
    @EnabledOnOs(OS.LINUX)
    void usesTheArchive() throws IOException {
        Path jar = unpacked();
        make(jar);

        ChildProcess process = start(flags(jar));
        try {
            assertThat(Files.readString(Path.of("/proc", Long.toString(process.pid()), "maps")))
                    .contains(archive(jar).toString());
        } finally {
            process.stop(Duration.ofSeconds(5));
        }
    }

    @Test
    void startsWithoutAnArchiveThatIsBrokenOrGone() throws IOException {
        Path jar = unpacked();
        make(jar);
        List<String> flags = flags(jar);

        Files.delete(archive(jar));
        Files.writeString(archive(jar), "this is no archive");
        assertThatItRuns(flags);

        Files.delete(archive(jar));
        assertThatItRuns(flags);
    }

    @Test
    void doesNotTryAgainWhereThisJavaWritesNone() throws IOException {
        Path jar = unpacked();
        for (int start = 1; start <= 2; start++) {
            make(archive(jar), flags -> start(List.of()));
        }

        assertThat(trainings).isOne();
        assertThat(flags(jar)).isEmpty();
    }

    @Test
    void triesAgainWhereTheProcessDidNotStart() throws IOException {
        Path jar = unpacked();
        make(archive(jar), flags -> {
            throw new ProcessException("no luck today");
        });
        assertThat(archive(jar)).doesNotExist();

        make(jar);
        assertThat(archive(jar)).exists();
    }

    @Test
    void keepsWhatWasMadeOfAJarThatWasBuiltAgainAlike() throws IOException {
        Path jar = unpacked();
        Files.setLastModifiedTime(built, FileTime.from(Instant.now().plusSeconds(60)));

        assertThat(unpacked()).isEqualTo(jar);
    }

    @Test
    void makesAnotherOneForAJarThatIsNewer() throws IOException {
        make(unpacked());
        change(built);

        assertThat(flags(unpacked())).isEmpty();
    }

    @Test
    void forgetsWhatWasMadeOfOlderJarsButWhatAStackRuns() throws IOException {
        Path first = unpacked();
        Stack stack = repository.stack(3);
        Files.createDirectories(stack.directory());
        stack.record(new StackState(
                List.of("one"), Map.of(), Map.of(), "", "", Map.of(NAME, first), NetworkPlan.NONE, Map.of(), 0));

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
        Path jar = unpacked();
        Path archive = archive(jar);
        String other = Cache.version(jar.getFileName().toString(), "of another JDK") + ".jsa";
        Path old = Files.writeString(
                Files.createDirectories(archive.resolveSibling("")).resolve(other), "old");

        make(jar);

        assertThat(old).doesNotExist();
    }

    @Test
    void knowsAProgramThatLiesElsewhereByItsFiles() throws IOException {
        Path jar = Files.copy(built, root.resolve("broker.jar"));
        Path older = archive(jar);
        make(older, flags -> start(flags, jar));
        assertThat(flags(jar)).isNotEmpty();

        Files.setLastModifiedTime(jar, FileTime.from(Instant.now().plusSeconds(60)));
        assertThat(flags(jar)).isEmpty();
        make(archive(jar), flags -> start(flags, jar));
        assertThat(older).doesNotExist();
    }

    @Test
    void waitsWhileAnotherStackIsPrepared() throws Exception {
        Process other = new ProcessBuilder(JavaCommand.of(
                        List.of("-cp", System.getProperty("java.class.path"), Holder.class.getName(), root.toString())))
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        try {
            assertThat(other.inputReader().readLine()).isEqualTo("open");
            CompletableFuture<Void> opened = CompletableFuture.runAsync(
                    () -> UnpackedJars.open(repository).close());
            assertThat(opened).isNotDone();
            other.getOutputStream().close();
            assertThat(opened).succeedsWithin(PATIENCE);
            assertThat(other.waitFor()).isZero();
        } finally {
            other.destroyForcibly();
        }
    }

    /** Keeps the archives of a checkout open until its input ends. */
    static final class Holder {
        public static void main(String[] args) throws IOException {
            try (UnpackedJars jars = UnpackedJars.open(Repository.of(Map.of("CHATTERBOX_HOME", args[0])))) {
                System.out.println("open");
                System.in.read();
            }
        }
    }

    /** The archives of two rows, with a responder each and an aggregator; the script is no Java program of ours. */
    @Test
    void makesAllThatRowsLackInTheBackgroundAndLeavesNothingElse() throws IOException {
        background.start(List.of("one", "script"), steps());

        assertThat(lines)
                .containsExactly("Archives for faster starts are being made in the background, one at a time.");
        await().atMost(PATIENCE).until(() -> archives().size() == 2);
        await().atMost(PATIENCE).until(() -> background.stop().isEmpty());
        assertThat(unfinished()).isEmpty();
        try (UnpackedJars jars = UnpackedJars.open(repository)) {
            Path aggregator = jars.of(root.resolve("aggregator-service/target/aggregator-service-1-exec.jar"));
            assertThat(archives()).containsExactlyInAnyOrder(archive(jars.of(built)), archive(aggregator));
        }
    }

    @Test
    void makesThemOnlyOnceAtATimeForAllCheckouts(@TempDir Path other) throws IOException {
        Map<String, String> environment = Map.of("CHATTERBOX_HOME", other.toString());
        Archives second = new Archives(Repository.of(environment), record);
        FakeRepository.create(other);

        background.start(List.of("one"), steps());
        second.start(List.of("one"), steps());

        assertThat(lines).hasSize(1);
        assertThat(second.stopOwn()).as("that of another checkout").isEmpty();
        assertThat(second.stop()).as("as compare does").isPresent();
        assertThat(background.stopOwn()).isEmpty();
    }

    @Test
    void makesNoneWhereNoneIsWanted() throws IOException {
        Map<String, String> environment = Map.of("CHATTERBOX_HOME", root.toString(), Repository.ARCHIVES, "0");

        new Archives(Repository.of(environment), record).start(List.of("one"), steps());

        assertThat(lines).isEmpty();
        assertThat(record).isEmptyDirectory();
    }

    /** The processes that the maker starts end with it, and the next maker makes the missing archive. */
    @Test
    @DisabledOnOs(OS.WINDOWS)
    void leavesNoBrokenArchiveAndNoProcessWhenItIsStoppedOrKilled() throws IOException {
        for (Duration grace : List.of(Duration.ofSeconds(5), Duration.ZERO)) {
            background.start(List.of("one"), steps());
            await().atMost(PATIENCE).until(() -> !trained().isEmpty());
            List<ProcessHandle> training = trained();
            ChildProcess maker = background.maker().orElseThrow();

            maker.stop(grace);

            await().atMost(PATIENCE).until(() -> training.stream().noneMatch(ProcessHandle::isAlive));
            assertThat(archives()).isEmpty();
        }

        background.start(List.of("one"), steps());
        await().atMost(PATIENCE).until(() -> archives().size() == 2);
        await().atMost(PATIENCE).until(() -> background.stop().isEmpty());
        assertThat(unfinished()).isEmpty();
    }

    /** Processes that write an archive of this checkout. */
    private List<ProcessHandle> trained() {
        return ProcessHandle.allProcesses()
                .filter(process -> process.info()
                        .commandLine()
                        .filter(line -> line.contains(
                                root.resolve(".chatterbox/archives/making-").toString()))
                        .isPresent())
                .toList();
    }

    private List<Path> archives() {
        return files(file -> file.toString().matches(".*/[^/]+\\.(aot|jsa)")
                && !file.toString().contains("/making-"));
    }

    private List<Path> unfinished() {
        return files(file -> file.getFileName().toString().startsWith("making-"));
    }

    private List<Path> files(Predicate<Path> which) {
        try (Stream<Path> files = Files.find(
                Files.createDirectories(root.resolve(".chatterbox/archives")),
                2,
                (file, attributes) -> which.test(file))) {
            return files.toList();
        } catch (IOException | UncheckedIOException e) {
            return List.of();
        }
    }

    private void make(Path jar) throws IOException {
        make(archive(jar), flags -> start(flags, jar));
    }

    private void make(Path archive, Function<List<String>, ChildProcess> start) throws IOException {
        Files.createDirectories(repository.archiveFolder());
        new ArchiveMaker(Files.createDirectories(root.resolve("making"))).make(Optional.of(archive), start);
    }

    private Path unpacked() {
        try (UnpackedJars jars = UnpackedJars.open(repository)) {
            return jars.of(built);
        }
    }

    private List<String> flags(Path jar) {
        return Archives.flags(archive(jar));
    }

    private Path archive(Path jar) {
        return Archives.file(repository, jar.getFileName().toString(), List.of(jar));
    }

    private Steps steps() {
        return new Steps() {
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
        };
    }

    private void assertThatItRuns(List<String> flags) {
        start(flags).stop(Duration.ofSeconds(5));
    }

    private ChildProcess start(List<String> flags) {
        return start(flags, unpacked());
    }

    private ChildProcess start(List<String> flags, Path jar) {
        trainings++;
        List<String> java = new ArrayList<>(flags);
        java.addAll(List.of("-jar", jar.toString()));
        ProcessBuilder builder = new ProcessBuilder(JavaCommand.of(java));
        builder.environment().putAll(Map.of("SERVER_ADDRESS", "127.0.0.1", "SERVER_PORT", Integer.toString(port)));
        ChildProcess process = ChildProcess.start(NAME, builder, root.resolve("run.log"), Lifetime.WITH_PARENT);
        process.awaitReady(() -> LocalHttp.get(port, "/well").status() == 200, Duration.ofSeconds(30));
        return process;
    }

    private static void change(Path jar) throws IOException {
        try (FileSystem file = FileSystems.newFileSystem(jar)) {
            Files.writeString(file.getPath("change"), "x", StandardOpenOption.CREATE, StandardOpenOption.APPEND);
        }
    }
}

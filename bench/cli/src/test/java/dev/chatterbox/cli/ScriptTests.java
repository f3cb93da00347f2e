package dev.chatterbox.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Runs the script on a simulated machine: a PATH with the tools that it may use, a false Java and a false Maven. */
class ScriptTests {

    private static final List<String> TOOLS = List.of(
            "awk",
            "cat",
            "date",
            "dirname",
            "find",
            "flock",
            "grep",
            "head",
            "mkdir",
            "mv",
            "readlink",
            "rm",
            "sed",
            "sh",
            "sleep",
            "sort",
            "stat",
            "tail",
            "uname");

    /** What the false Maven does. */
    private static final String BUILD = """
            echo '[INFO] Building cli 1.0.0          [8/8]'
            for jar in bench/cli/target/cli.jar aggregator-service/target/a-exec.jar square-service-one/target/s-exec.jar; do
              mkdir -p "$(dirname "$jar")" && echo jar >"$jar"
            done
            """;

    /** With a blank, and with an umlaut where Java can write one: with LANG=C it cannot. */
    private static final String CHECKOUT =
            "a checkout" + ("UTF-8".equals(System.getProperty("sun.jnu.encoding")) ? " in the Büro" : "");

    @TempDir
    Path directory;

    private final Map<String, String> environment = new HashMap<>();
    private Path checkout;
    private String shell = "sh";

    @BeforeEach
    void create() throws IOException {
        checkout = Files.createDirectories(directory.resolve(CHECKOUT));
        Files.copy(Path.of("..", "..", "chatterbox"), checkout.resolve("chatterbox"));
        Files.writeString(checkout.resolve("pom.xml"), "");
        source("bench/cli/src/main/java/A.java");
        source("aggregator-service/src/main/java/A.java");
        source("square-service-one/src/main/java/A.java");
        for (String module : List.of("bench/cli", "aggregator-service", "square-service-one")) {
            source(module + "/pom.xml");
        }
        Files.writeString(checkout.resolve("square-service-one/responder.properties"), "jar=target/s*-exec.jar\n");
        Path bin = Files.createDirectories(directory.resolve("bin"));
        for (String tool : TOOLS) {
            Files.createSymbolicLink(bin.resolve(tool), find(tool));
        }
        environment.put("PATH", bin.toString());
        java("openjdk version \"17.0.15\" 2025-04-15", true);
        maven("3.8.7", BUILD);
    }

    @Test
    void namesTheContainersOnAnotherSystem() throws IOException {
        Files.delete(directory.resolve("bin/uname"));
        program(directory.resolve("bin/uname"), "echo Darwin");

        assertThat(run("up")).isEqualTo(1);
        assertThat(output().lines())
                .containsExactly(
                        "chatterbox: Chatterbox runs on Linux, and this is Darwin. In containers it runs here too: docs/containers.md.");
    }

    @Test
    void saysThatThereIsNoJava() throws IOException {
        Files.delete(directory.resolve("bin/java"));

        assertThat(run("up")).isEqualTo(1);
        assertThat(output()).contains("There is no Java", "Install a JDK 17 or newer");
    }

    @Test
    void saysThatJavaIsTooOld() throws IOException {
        java("java version \"1.8.0_302\"", true);

        assertThat(run("up")).isEqualTo(1);
        assertThat(output()).contains("too old", "1.8.0_302", "Install a JDK 17 or newer");
    }

    @Test
    void saysThatJavaHomeIsWrong() throws IOException {
        environment.put("JAVA_HOME", directory.resolve("gone").toString());

        assertThat(run("status")).isEqualTo(1);
        assertThat(output()).contains("JAVA_HOME is " + directory.resolve("gone"));
    }

    @Test
    void prefersJavaHome() throws IOException {
        java("java version \"1.8.0_302\"", true);
        Path home = directory.resolve("home");
        program(home.resolve("bin/java"), falseJava("openjdk version \"25\" 2025-09-16", home));
        program(home.resolve("bin/javac"), "");
        environment.put("JAVA_HOME", home.toString());

        assertThat(run("up")).isZero();
    }

    @Test
    void saysThatJavaCannotCompile() throws IOException {
        java("openjdk version \"21.0.2\" 2024-01-16", false);

        assertThat(run("up")).isEqualTo(1);
        assertThat(output()).contains("without a compiler");
    }

    @Test
    void saysThatThereIsNoMaven() throws IOException {
        Files.delete(directory.resolve("bin/mvn"));

        assertThat(run("up")).isEqualTo(1);
        assertThat(output()).contains("mvn is not on the PATH", "Maven 3.8.7 or newer");
    }

    @Test
    void saysThatMavenIsTooOld() throws IOException {
        maven("3.6.3", "");

        assertThat(run("up")).isEqualTo(1);
        assertThat(output()).contains("Maven 3.6.3 is too old");
    }

    @ParameterizedTest
    @ValueSource(strings = {"sh", "dash", "bash"})
    void buildsOnceAndGivesTheArgumentsOn(String shell) throws IOException {
        assumeTrue(Files.exists(Path.of("/bin", shell)));
        this.shell = shell;

        assertThat(run("up", "--port-offset", "5", "a  b")).isZero();
        assertThat(output())
                .contains("building everything", "<dev.chatterbox.cli.Chatterbox><up><--port-offset><5><a  b>")
                .doesNotContain("\r");
        assertThat(checkout.resolve(".chatterbox/logs/build.log")).content().contains("Building cli");

        assertThat(run("up")).isZero();
        assertThat(output()).doesNotContain("building");
        assertThat(maven()).hasSize(1);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "pom.xml",
                ".mvn/jvm.config",
                "bench/cli/pom.xml",
                "square-service-one/src/main/java/A.java",
                "square-service-one/responder.properties",
                "variants/one.properties",
                "workloads/presets/quick.properties",
                "load-tests/jvm.args",
                "report/src/main/jte/page.jte"
            })
    void buildsAgainWhatWasChanged(String file) throws IOException {
        for (String module : List.of("variants", "workloads", "load-tests", "report")) {
            source(module + "/pom.xml");
        }
        Files.createDirectories(checkout.resolve("load-tests/target"));
        Files.createFile(checkout.resolve("load-tests/target/load-tests-1.jar"));
        if (!file.endsWith("responder.properties")) {
            source(file);
        }
        run("up");
        run("up");
        assertThat(maven()).hasSize(1);

        touchLater(checkout.resolve(file));
        run("up");
        assertThat(maven()).hasSize(2);
        assertThat(output()).as("the list of the files that were built").doesNotContain("bench/cli/pom.xml");
    }

    @Test
    void buildsOnceForAllTimeZones() throws IOException {
        run("up");
        environment.put("TZ", "Asia/Kathmandu");
        run("up");
        assertThat(maven()).hasSize(1);
    }

    /** The clock of the machine that wrote a file may be ahead of this one's. */
    @Test
    void buildsAFileOfTheFutureOnce() throws IOException {
        touchLater(checkout.resolve("bench/cli/src/main/java/A.java"));
        run("up");
        run("up");
        assertThat(maven()).hasSize(1);
    }

    /** Java would otherwise not find its own files below a folder such as zürich. */
    @Test
    void givesJavaALocaleThatKnowsAllLetters() throws IOException {
        environment.put("LC_ALL", "C");
        assertThat(run("status")).isZero();
        assertThat(output()).contains("locale=C.UTF-8");
    }

    @Test
    void buildsAgainWhenAFileWasAddedOrDeleted() throws IOException {
        source("variants/pom.xml");
        Path old = Files.setLastModifiedTime(source("variants/one.properties"), FileTime.from(Instant.EPOCH));
        run("up");
        Path added = Files.setLastModifiedTime(source("variants/two.properties"), FileTime.from(Instant.EPOCH));
        run("up");
        assertThat(maven()).hasSize(2);
        Files.delete(old);
        run("up");
        assertThat(maven()).hasSize(3);
        Files.move(added, added.resolveSibling("three.properties"));
        run("up");
        assertThat(maven()).hasSize(4);
    }

    @ParameterizedTest
    @ValueSource(strings = {"docs/a.md", "README.md", "results/summary.md", "bench/cli/target/x", ".chatterbox/x"})
    void doesNotBuildForWhatNoBuildReads(String file) throws IOException {
        run("up");
        touchLater(source(file));
        run("up");
        assertThat(maven()).hasSize(1);
    }

    /** A relative {@code --out} is relative to the user's working folder, even if the script builds something first. */
    @Test
    void keepsTheWorkingFolder() throws IOException {
        run("compare");
        assertThat(output()).contains("building", "folder=" + directory.toRealPath() + "\n");
        run("compare");
        assertThat(output()).doesNotContain("building").contains("folder=" + directory.toRealPath() + "\n");
    }

    @Test
    void buildsNothingForAResponderThatIsNoJar() throws IOException {
        Files.createDirectories(checkout.resolve("square-service-script"));
        Files.writeString(checkout.resolve("square-service-script/responder.properties"), "command=sh responder\n");
        run("up");
        run("up");
        assertThat(maven()).hasSize(1);
    }

    /** The script fetches nothing of Pulsar until a user asks for it; later builds keep it. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "up --transports nats,pulsar-unbatched",
                "up --transports=pulsar",
                "compare --preset topics",
                "compare --preset=topics --time 1m",
                "claims 1.1 4.1",
                "claims --out 1.1"
            })
    void buildsTheVariantsOverPulsarOnceTheyAreAskedForAndFromThenOn(String asked) throws IOException {
        source("services/square-service-pulsar/pom.xml");
        Files.writeString(
                checkout.resolve("services/square-service-pulsar/responder.properties"),
                "jar=target/square-*-exec.jar\n");
        maven("3.8.7", """
                mkdir -p bench/cli/target aggregator-service/target square-service-one/target services/square-service-pulsar/target
                for jar in bench/cli/target/cli.jar aggregator-service/target/a-exec.jar square-service-one/target/s-exec.jar; do
                  echo jar >"$jar"
                done
                case "$*" in *-Ppulsar*)
                  echo BOOT-INF/lib/pulsar-client-4.2.4.jar >aggregator-service/target/a-exec.jar
                  echo jar >services/square-service-pulsar/target/square-1-exec.jar ;;
                esac
                """);
        Files.writeString(source("bench/workloads/presets/topics.properties"), "variants=nats,\\\n  pulsar\n");
        Files.writeString(source("bench/workloads/presets/curve.properties"), "# not pulsar\nvariants=nats\n");
        Files.writeString(source("bench/workloads/claims/1.1.properties"), "published=nats\n");
        Files.writeString(source("bench/workloads/claims/4.1.properties"), "published=pulsar\n");
        for (String usual : List.of(
                "up",
                "up --transports nats",
                "compare --out topics --preset curve",
                "compare --out claims --width 4.1",
                "compare --preset topics --transports kafka",
                "claims 1.1")) {
            run(usual.split(" "));
        }
        assertThat(maven()).singleElement().asString().doesNotContain("-Ppulsar");

        run(asked.split(" "));
        run("up");
        run("up", "--transports", "pulsar");
        assertThat(maven()).hasSize(2).last().asString().contains("-Ppulsar");

        touchLater(checkout.resolve("bench/cli/src/main/java/A.java"));
        run("up");
        assertThat(maven()).hasSize(3).last().asString().contains("-Ppulsar");
    }

    @Test
    void buildsAgainWhenAJarIsGone() throws IOException {
        run("up");
        Files.delete(checkout.resolve("aggregator-service/target/a-exec.jar"));
        run("up");
        assertThat(maven()).hasSize(2);
    }

    @Test
    void doesNotBuildForAChangedTest() throws IOException {
        run("up");
        touchLater(source("square-service-one/src/test/java/ATests.java"));
        run("up");
        assertThat(maven()).hasSize(1);
    }

    @Test
    void buildsNoMoreThanTheProgramForTheOtherCommands() throws IOException {
        assertThat(run("status")).isZero();
        assertThat(output()).contains("building the command-line program");
        assertThat(run("up", "--help")).isZero();

        assertThat(maven()).singleElement().asString().contains("-pl bench/cli -am");
        Files.delete(directory.resolve("bin/mvn"));
        assertThat(run("down")).isZero();
        assertThat(run("diff", "a", "b")).isZero();
    }

    @Test
    void buildsEverythingForAComparison() throws IOException {
        assertThat(run()).isZero();
        assertThat(output()).contains("building everything");
        assertThat(run("compare", "--calls", "5")).isZero();
        assertThat(maven()).hasSize(1);

        source("load-tests/src/main/java/A.java");
        Files.writeString(checkout.resolve("load-tests/pom.xml"), "");
        assertThat(run()).isZero();
        assertThat(maven()).as("the generator is not built").hasSize(2);
    }

    @Test
    void forgetsTheOldJarsAfterAChangeOfAPom() throws IOException {
        source("bench/cli/target/lib/a-1.jar");
        assertThat(run()).isZero();
        source("aggregator-service/src/main/java/B.java");
        assertThat(run()).isZero();
        assertThat(checkout.resolve("bench/cli/target/lib/a-1.jar")).exists();

        Path pom = checkout.resolve("bench/cli/pom.xml");
        assertThat(pom.toFile().setLastModified(System.currentTimeMillis() + 10_000))
                .isTrue();
        assertThat(run()).isZero();

        assertThat(checkout.resolve("bench/cli/target/lib")).doesNotExist();
    }

    @Test
    void tellsHowMuchWasFetchedForABuild() throws IOException {
        maven("3.8.7", """
                echo '[INFO] Downloaded from central: https://repo/a.pom (512 B at 3.4 kB/s)'
                echo '[INFO] Downloading from central: https://repo/a.jar'
                echo '[INFO] Downloading from central: https://repo/b.jar'
                sleep 2
                echo '[INFO] Downloaded from central: https://repo/a.jar (1.5 MB at 3.4 MB/s)'
                echo '[INFO] Downloaded from central: https://repo/b.jar (12 MB at 3.4 MB/s)'
                echo '[INFO] Downloaded from central: https://repo/c.jar (600 kB at 344 kB/s)'
                for jar in bench/cli/target/cli.jar aggregator-service/target/a-exec.jar square-service-one/target/s-exec.jar; do
                  mkdir -p "$(dirname "$jar")" && echo jar >"$jar"
                done
                """);

        assertThat(run("up")).isZero();
        assertThat(output()).containsPattern("Built in \\d+ s; about [23] s of them were for the download of 14 MB\\.");
    }

    @Test
    void buildsNothingInTheArchiveOfARelease() throws IOException {
        Files.delete(directory.resolve("bin/mvn"));
        Files.writeString(checkout.resolve("release.properties"), "version=1.0.0\n");
        source("bench/cli/target/cli.jar");

        assertThat(run("up")).isZero();
        Files.writeString(source("bench/workloads/presets/topics.properties"), "variants=pulsar\n");
        assertThat(run("report", "topics")).isZero();
        assertThat(run("claims")).isZero();
        for (String asked : List.of("up --transports rest,pulsar", "compare --preset topics")) {
            assertThat(run(asked.split(" "))).isEqualTo(1);
            assertThat(output()).contains("The variants over Pulsar are not in this archive");
        }
    }

    @Test
    void showsTheErrorsOfAFailedBuildAndTriesAgain() throws IOException {
        maven("3.8.7", "echo '[ERROR] A.java:[1,1] no such thing'; exit 1");

        assertThat(run("up")).isEqualTo(1);
        assertThat(output())
                .contains("no such thing", "The build failed.", "build.log")
                .doesNotContain("Chatterbox>");
        assertThat(run("up")).isEqualTo(1);
        assertThat(maven()).hasSize(2);
    }

    @Test
    void doesNotBuildBesideAnotherBuild() throws IOException {
        maven("3.8.7", "\"$CHATTERBOX_HOME/chatterbox\" up; exit 1");

        assertThat(run("up")).isEqualTo(1);
        assertThat(checkout.resolve(".chatterbox/logs/build.log"))
                .content()
                .contains("Another ./chatterbox is building. Try again when it is done.");
        assertThat(maven()).hasSize(1);
    }

    @Test
    void buildsAfterABuildThatWasKilled() throws IOException {
        maven("3.8.7", "read -r _ _ _ script _ </proc/$PPID/stat; kill -KILL $script");
        assertThat(run("up")).isEqualTo(128 + 9);

        maven("3.8.7", BUILD);
        // What the killed script has started may need a moment to end.
        await().until(() -> run("up") == 0);
    }

    @Test
    void mayBeCalledByALink() throws IOException {
        Path link = Files.createSymbolicLink(directory.resolve("link"), Path.of(CHECKOUT, "chatterbox"));

        assertThat(runScript(link, "up")).isZero();
        assertThat(output()).contains("home=" + checkout.toRealPath());
    }

    @ParameterizedTest
    @ValueSource(strings = {"JAVA_TOOL_OPTIONS", "JDK_JAVA_OPTIONS", "_JAVA_OPTIONS"})
    void saysThatTheEnvironmentChoosesAGarbageCollector(String variable) throws IOException {
        environment.put(variable, "-Dfile=a -XX:+UseZGC");

        assertThat(run("doctor")).isEqualTo(1);
        assertThat(output()).contains("chooses a garbage collector. Unset it");
    }

    /** Such a folder cannot be on a class path, and neither Maven nor Java says so. */
    @Test
    void saysThatTheFolderHasAColonInItsName() throws IOException {
        Path moved = Files.move(checkout, directory.resolve("a:b"));

        assertThat(runScript(moved.resolve("chatterbox"), "up")).isEqualTo(1);
        assertThat(output().lines()).singleElement().asString().contains("a:b has a colon in its name");
    }

    private int run(String... arguments) throws IOException {
        return runScript(checkout.resolve("chatterbox"), arguments);
    }

    private int runScript(Path script, String... arguments) throws IOException {
        ProcessBuilder builder = new ProcessBuilder(find(shell).toString(), script.toString());
        builder.command().addAll(List.of(arguments));
        builder.environment().clear();
        builder.environment().putAll(environment);
        Process process = builder.directory(directory.toFile())
                .redirectErrorStream(true)
                .redirectOutput(directory.resolve("output").toFile())
                .start();
        try {
            return process.waitFor();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    private String output() throws IOException {
        return Files.readString(directory.resolve("output"), StandardCharsets.UTF_8);
    }

    /** The calls of Maven that were meant to build. */
    private List<String> maven() throws IOException {
        return Files.readAllLines(directory.resolve("maven-calls"));
    }

    private void maven(String version, String build) throws IOException {
        program(directory.resolve("bin/mvn"), """
                if [ "$1" = --version ]; then printf '\\033[1mApache Maven %s\\033[m\\n'; exit; fi
                echo "$*" >>'%s'
                %s""".formatted(version, directory.resolve("maven-calls"), build));
    }

    /** Puts java on the PATH as a link, as Debian does: the compiler is not beside the link. */
    private void java(String version, boolean compiler) throws IOException {
        Path home = directory.resolve("jdk");
        program(home.resolve("bin/java"), falseJava(version, home));
        Files.deleteIfExists(home.resolve("bin/javac"));
        if (compiler) {
            program(home.resolve("bin/javac"), "");
        }
        Path link = directory.resolve("bin/java");
        Files.deleteIfExists(link);
        Files.createSymbolicLink(link, home.resolve("bin/java"));
    }

    private static String falseJava(String version, Path home) {
        return """
                case $1 in
                  -version) echo 'Picked up JAVA_TOOL_OPTIONS: -Dx=y' >&2; echo '%s' >&2 ;;
                  -XshowSettings*) echo '    java.home = %s' >&2 ;;
                  *)
                    echo "home=$CHATTERBOX_HOME"
                    echo "folder=$(pwd -P)"
                    echo "locale=$LC_ALL"
                    while [ "$1" != dev.chatterbox.cli.Chatterbox ]; do shift; done
                    printf '<%%s>' "$@"
                    ;;
                esac
                """.formatted(version, home);
    }

    private static void program(Path file, String script) throws IOException {
        Files.createDirectories(file.getParent());
        Files.writeString(file, "#!/bin/sh\n" + script);
        assertThat(file.toFile().setExecutable(true)).isTrue();
    }

    private Path source(String file) throws IOException {
        Path source = checkout.resolve(file);
        Files.createDirectories(source.getParent());
        return Files.writeString(source, "", StandardOpenOption.CREATE);
    }

    private static void touchLater(Path file) throws IOException {
        Files.setLastModifiedTime(file, FileTime.from(Instant.now().plusSeconds(10)));
    }

    private static Path find(String tool) {
        return List.of("/bin", "/usr/bin").stream()
                .map(folder -> Path.of(folder, tool))
                .filter(Files::isExecutable)
                .findFirst()
                .orElseThrow();
    }
}

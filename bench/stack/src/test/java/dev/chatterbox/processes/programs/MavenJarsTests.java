package dev.chatterbox.processes.programs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.chatterbox.processes.ProcessException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class MavenJarsTests {

    /** A script that notes its arguments, prints what Maven prints, and writes the list. */
    private static final String MAVEN = """
            echo "$@" >> %1$s/arguments
            cat "$3" > %1$s/pom
            echo "[INFO] Downloading from central: https://repository/a.jar"
            echo "[INFO] Downloaded from central: https://repository/a.jar (30 MB at 3.4 MB/s)"
            echo "[INFO] Downloaded from central: https://repository/b.jar (500 kB at 3.4 MB/s)"
            echo "[INFO] Downloaded from central: https://repository/b.pom (900 B at 1.2 kB/s)"
            echo "[INFO] Downloaded from central: https://repository/c.jar (19.9 MB at 3.4 MB/s)"
            touch %1$s/a.jar %1$s/b.jar
            for word; do
              case $word in -Dmdep.outputFile=*) echo "%1$s/a.jar:%1$s/b.jar" > "${word#*=}" ;; esac
            done
            """;

    @TempDir
    Path directory;

    private final List<String> progress = new ArrayList<>();
    private final Map<String, String> environment = new HashMap<>();

    @BeforeEach
    void emptyMachine() {
        environment.put("XDG_CACHE_HOME", directory.resolve("cache").toString());
        environment.put("PATH", directory.resolve("bin").toString());
    }

    @Test
    void fetchesOnceWithProgressAndKeepsTheList() throws IOException {
        maven(MAVEN.formatted(directory));
        assertThat(jars("<project/>").origin()).isEqualTo("Pulsar 4, fetched by Maven (100 MB, once)");

        List<Path> jars = jars("<project/>").obtain(progress::add);

        assertThat(jars).containsExactly(directory.resolve("a.jar"), directory.resolve("b.jar"));
        assertThat(directory.resolve("pom")).hasContent("<project/>");
        assertThat(progress).containsExactly("30 of about 100 MB are here", "50 of about 100 MB are here");
        assertThat(jars("<project/>").obtain(progress::add)).isEqualTo(jars);
        assertThat(jars("<project/>").origin()).isEqualTo("Pulsar 4, 2 jars from Maven's local repository");
        assertThat(directory.resolve("arguments")).content().hasLineCount(1);
    }

    @Test
    void fetchesAgainWhereAJarIsGoneAndWhatIsDescribedOtherwise() throws IOException {
        maven(MAVEN.formatted(directory));
        jars("<project/>").obtain(progress::add);
        Files.delete(directory.resolve("b.jar"));

        jars("<project/>").obtain(progress::add);
        jars("<project></project>").obtain(progress::add);

        assertThat(directory.resolve("b.jar")).exists();
        assertThat(directory.resolve("arguments")).content().hasLineCount(3);
    }

    @Test
    void saysInOneLineWhyItCannotBeFetched() throws IOException {
        maven("""
                echo "[INFO] Scanning for projects..."
                echo "[ERROR] Could not transfer artifact org.apache:a:pom:1 from/to central: repository: unknown host"
                echo "[ERROR] To see the full stack trace of the errors, re-run Maven with the -e switch."
                exit 1
                """);

        assertThatThrownBy(() -> jars("<project/>").obtain(progress::add))
                .isInstanceOf(ProcessException.class)
                .hasMessage("Pulsar 4 could not be fetched by Maven (100 MB): Could not transfer artifact"
                        + " org.apache:a:pom:1 from/to central: repository: unknown host");
        assertThat(directory.resolve("cache/chatterbox")).isEmptyDirectory();
    }

    @Test
    void saysWhatGivesMaven() {
        assertThatThrownBy(() -> jars("<project/>").origin())
                .isInstanceOf(ProcessException.class)
                .hasMessageContaining("mvn is not on this platform")
                .hasMessageContaining("https://maven.apache.org");
    }

    private MavenJars jars(String description) {
        return new MavenJars("Pulsar 4", description, 100, new Platform(environment, "linux amd64"));
    }

    private void maven(String script) throws IOException {
        Path program = directory.resolve("bin/mvn");
        Files.createDirectories(program.getParent());
        Files.writeString(program, "#!/bin/sh\nPATH=/usr/bin:/bin\n" + script);
        assertThat(program.toFile().setExecutable(true)).isTrue();
    }
}

package dev.chatterbox.processes.programs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.chatterbox.processes.ProcessException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class MavenJarsTests {

    /** A script that notes its arguments and its pom, and writes the list. */
    private static final String MAVEN = """
            echo "$@" >> %1$s/arguments
            cat "$4" > %1$s/pom
            touch %1$s/a.jar %1$s/b.jar
            for word; do
              case $word in -Dmdep.outputFile=*) echo "%1$s/a.jar:%1$s/b.jar" > "${word#*=}" ;; esac
            done
            """;

    @TempDir
    Path directory;

    private final Map<String, String> environment = new HashMap<>();

    @BeforeEach
    void emptyMachine() {
        environment.put("XDG_CACHE_HOME", directory.resolve("cache").toString());
        environment.put("PATH", directory.resolve("bin").toString());
    }

    @Test
    void fetchesOnceAndKeepsTheList() throws IOException {
        maven(MAVEN.formatted(directory));
        assertThat(jars("<project/>").origin()).isEqualTo("Pulsar 4, fetched by Maven (100 MB, once)");

        List<Path> jars = jars("<project/>").obtain();

        assertThat(jars).containsExactly(directory.resolve("a.jar"), directory.resolve("b.jar"));
        assertThat(directory.resolve("pom")).hasContent("<project/>");
        assertThat(jars("<project/>").obtain()).isEqualTo(jars);
        assertThat(jars("<project/>").origin()).isEqualTo("Pulsar 4, 2 jars from Maven's local repository");
        assertThat(directory.resolve("arguments")).content().hasLineCount(1);
    }

    @Test
    void fetchesAgainWhereAJarIsGoneAndWhatIsDescribedOtherwise() throws IOException {
        maven(MAVEN.formatted(directory));
        jars("<project/>").obtain();
        Files.delete(directory.resolve("b.jar"));

        jars("<project/>").obtain();
        jars("<project></project>").obtain();

        assertThat(directory.resolve("b.jar")).exists();
        assertThat(directory.resolve("arguments")).content().hasLineCount(3);
    }

    @Test
    void saysInOneLineWhyItCannotBeFetched() throws IOException {
        maven("""
                echo "[ERROR] Could not transfer artifact org.apache:a:pom:1 from/to central: repository: unknown host"
                echo "[ERROR] To see the full stack trace of the errors, re-run Maven with the -e switch."
                exit 1
                """);

        assertThatThrownBy(() -> jars("<project/>").obtain())
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

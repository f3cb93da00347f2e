package dev.chatterbox.stack;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.jar.Attributes;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class UnpackedJarTests {

    @TempDir
    Path root;

    private final Manifest manifest = new Manifest();
    private Path jar;
    private Path copy;

    @BeforeEach
    void create() {
        jar = root.resolve("service-1-exec.jar");
        copy = root.resolve("stack/service");
        manifest.getMainAttributes().put(Attributes.Name.MANIFEST_VERSION, "1.0");
    }

    @Test
    void ofABootJarAllIsUnpackedAndItsLauncherRunsIt() throws IOException {
        String[] entries = {
            "META-INF/build-info.properties",
            "META-INF/spring/a.imports",
            "BOOT-INF/classes/a/",
            "BOOT-INF/classes/a/Service.class",
            "BOOT-INF/lib/z.jar"
        };
        write(entries);

        UnpackedJar.copy(jar, copy);

        assertThat(List.of(entries))
                .allSatisfy(entry -> assertThat(copy.resolve(entry)).exists());
        assertThat(copy.resolve("META-INF/MANIFEST.MF")).exists();
        assertThat(copy.resolve("BOOT-INF/lib/z.jar")).hasContent("BOOT-INF/lib/z.jar");
        assertThat(UnpackedJar.arguments(copy))
                .containsExactly("-cp", copy.toString(), "org.springframework.boot.loader.launch.JarLauncher");
    }

    @Test
    void anyOtherJarIsCopied() throws IOException {
        write("a/Service.class");

        UnpackedJar.copy(jar, copy);

        assertThat(copy.resolve("service.jar")).hasSameBinaryContentAs(jar);
        assertThat(UnpackedJar.arguments(copy))
                .containsExactly("-jar", copy.resolve("service.jar").toString());
    }

    private void write(String... entries) throws IOException {
        try (JarOutputStream out = new JarOutputStream(Files.newOutputStream(jar), manifest)) {
            for (String entry : entries) {
                out.putNextEntry(new JarEntry(entry));
                out.write(entry.endsWith("/") ? new byte[0] : entry.getBytes(StandardCharsets.UTF_8));
            }
        }
    }
}

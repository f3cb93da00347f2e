package dev.chatterbox.stack;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.jar.Attributes;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import java.util.zip.ZipEntry;
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
        copy = root.resolve("stack/service.jar");
        manifest.getMainAttributes().put(Attributes.Name.MANIFEST_VERSION, "1.0");
        manifest.getMainAttributes().put(Attributes.Name.MAIN_CLASS, "a.Launcher");
        manifest.getMainAttributes().put(Attributes.Name.IMPLEMENTATION_VERSION, "1.2.3");
    }

    @Test
    void ofABootJarTheProgramAndItsLibrariesAreApart() throws IOException {
        manifest.getMainAttributes().putValue("Start-Class", "a.Service");
        write("BOOT-INF/classes/a/", "BOOT-INF/classes/a/Service.class", "BOOT-INF/lib/z.jar", "BOOT-INF/lib/b.jar");

        UnpackedJar.copy(jar, copy);

        assertThat(copy.resolveSibling("lib/z.jar")).hasContent("BOOT-INF/lib/z.jar");
        assertThat(copy.resolveSibling("lib/b.jar")).exists();
        try (JarFile unpacked = new JarFile(copy.toFile())) {
            Attributes attributes = unpacked.getManifest().getMainAttributes();
            assertThat(attributes.getValue(Attributes.Name.MAIN_CLASS)).isEqualTo("a.Service");
            assertThat(attributes.getValue(Attributes.Name.CLASS_PATH))
                    .as("in the order of the jar")
                    .isEqualTo("lib/z.jar lib/b.jar");
            assertThat(attributes.getValue(Attributes.Name.IMPLEMENTATION_VERSION))
                    .isEqualTo("1.2.3");
            assertThat(unpacked.stream().map(ZipEntry::getName))
                    .as("with folders: in a jar without them, Spring finds no classes")
                    .contains("a/", "a/Service.class")
                    .noneMatch(name -> name.startsWith("BOOT-INF"));
            assertThat(unpacked.getInputStream(unpacked.getEntry("a/Service.class")))
                    .hasContent("BOOT-INF/classes/a/Service.class");
        }
    }

    @Test
    void aServiceFindsWhatItsJarConfigures() throws IOException {
        manifest.getMainAttributes().putValue("Start-Class", "a.Service");
        write(
                "META-INF/services/a.LoadersOwn",
                "META-INF/build-info.properties",
                "META-INF/spring/a.imports",
                "META-INF/spring.factories",
                "BOOT-INF/classes/a.yaml");

        UnpackedJar.copy(jar, copy);

        try (JarFile unpacked = new JarFile(copy.toFile())) {
            assertThat(unpacked.stream().map(ZipEntry::getName))
                    .containsExactlyInAnyOrder(
                            "META-INF/MANIFEST.MF",
                            "a.yaml",
                            "META-INF/build-info.properties",
                            "META-INF/spring/a.imports",
                            "META-INF/spring.factories");
        }
    }

    @Test
    void anyOtherJarIsCopied() throws IOException {
        write("a/Service.class");

        UnpackedJar.copy(jar, copy);

        assertThat(copy).hasSameBinaryContentAs(jar);
    }

    private void write(String... entries) throws IOException {
        try (JarOutputStream out = new JarOutputStream(Files.newOutputStream(jar), manifest)) {
            for (String entry : List.of(entries)) {
                out.putNextEntry(new JarEntry(entry));
                out.write(entry.endsWith("/") ? new byte[0] : entry.getBytes(StandardCharsets.UTF_8));
            }
        }
    }
}

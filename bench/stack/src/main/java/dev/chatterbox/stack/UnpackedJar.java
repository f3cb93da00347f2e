package dev.chatterbox.stack;

import dev.chatterbox.processes.ProcessException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Predicate;
import java.util.jar.Attributes;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import java.util.stream.Collectors;
import java.util.zip.ZipEntry;

/**
 * The copy of a runnable jar that a stack runs, because a build may replace the jar meanwhile. Spring Boot's jar is
 * unpacked as its own tool does it: a jar of the program, and the libraries in {@code lib} beside it, because Java
 * starts faster from these than from jars inside a jar.
 */
final class UnpackedJar {

    private static final String LIBRARIES = "BOOT-INF/lib/";
    private static final String CLASSES = "BOOT-INF/classes/";

    /** Spring's tool moves this folder of the classes: what Spring configures, and what a build says of itself. */
    private static final String META = "META-INF/";

    private static final Predicate<String> OF_CLASSES =
            name -> name.startsWith("spring") || name.equals("build-info.properties");

    private UnpackedJar() {}

    /** @param copy the new jar; its folder must not exist */
    static void copy(Path jar, Path copy) {
        try (JarFile file = new JarFile(jar.toFile())) {
            Path folder = Files.createDirectories(copy.resolveSibling("lib"));
            Manifest manifest = file.getManifest();
            Attributes attributes = manifest.getMainAttributes();
            if (attributes.getValue("Start-Class") == null) {
                Files.copy(jar, copy);
                return;
            }
            List<String> libraries = names(file, LIBRARIES);
            for (String library : libraries) {
                try (InputStream content = file.getInputStream(file.getEntry(LIBRARIES + library))) {
                    Files.copy(content, folder.resolve(library));
                }
            }
            attributes.put(Attributes.Name.MAIN_CLASS, attributes.getValue("Start-Class"));
            attributes.put(
                    Attributes.Name.CLASS_PATH,
                    libraries.stream().map("lib/"::concat).collect(Collectors.joining(" ")));
            try (JarOutputStream program = new JarOutputStream(Files.newOutputStream(copy), manifest)) {
                for (String name : names(file, CLASSES)) {
                    copy(file, CLASSES + name, program, name);
                }
                for (String name : names(file, META).stream().filter(OF_CLASSES).toList()) {
                    copy(file, META + name, program, META + name);
                }
            }
        } catch (IOException e) {
            throw new ProcessException("%s cannot be unpacked: %s".formatted(jar, e.getMessage()));
        }
    }

    private static void copy(JarFile file, String entry, JarOutputStream program, String name) throws IOException {
        program.putNextEntry(new JarEntry(name));
        try (InputStream content = file.getInputStream(file.getEntry(entry))) {
            content.transferTo(program);
        }
    }

    /** The entries of a folder in the jar, in their order; also folders in it, without which Spring finds no classes. */
    private static List<String> names(JarFile file, String folder) {
        return file.stream()
                .map(ZipEntry::getName)
                .filter(name -> name.startsWith(folder) && name.length() > folder.length())
                .map(name -> name.substring(folder.length()))
                .toList();
    }
}

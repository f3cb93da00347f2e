package dev.chatterbox.comparison.environment;

import dev.chatterbox.comparison.testbed.Target;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.jar.JarFile;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;

/** Versions, read from the names of jars. */
final class Libraries {

    private static final Pattern JAR = Pattern.compile("(?:.*/)?([a-zA-Z][\\w.-]*?)-(\\d[\\w.-]*)\\.jar");

    /** What every service is built on. */
    private static final List<String> COMMON =
            List.of("spring-boot", "reactor-core", "reactor-netty-http", "netty-transport", "micrometer-core");

    private Libraries() {}

    /** The versions of the common libraries, and of each row's libraries that no row with other jars has. */
    static Map<String, String> ofServices(Target target) {
        Map<List<Path>, Map<String, String>> services = new HashMap<>();
        target.rows().forEach(row -> services.put(row.libraries(), of(row.libraries())));
        Map<String, String> result = new TreeMap<>();
        services.forEach((jars, libraries) -> libraries.forEach((name, version) -> {
            boolean alone = services.entrySet().stream()
                    .noneMatch(other ->
                            !other.getKey().equals(jars) && other.getValue().containsKey(name));
            if (COMMON.contains(name) || alone && services.size() > 1) {
                result.put(name, version);
            }
        }));
        return result;
    }

    /** The versions of the jars inside each runnable jar, and of each other jar its own version. */
    private static Map<String, String> of(List<Path> jars) {
        Map<String, String> versions = new TreeMap<>();
        for (Path jar : jars) {
            Map<String, String> inside = inside(jar);
            versions.putAll(
                    inside.isEmpty() ? versions(List.of(jar.getFileName().toString())) : inside);
        }
        return versions;
    }

    private static Map<String, String> inside(Path jar) {
        try (JarFile file = new JarFile(jar.toFile())) {
            return versions(file.stream().map(ZipEntry::getName).toList());
        } catch (IOException e) {
            return Map.of();
        }
    }

    /** The versions of the wanted jars in a folder. */
    static Map<String, String> in(Path folder, Collection<String> wanted) {
        if (!Files.isDirectory(folder)) {
            return Map.of();
        }
        try (Stream<Path> files = Files.list(folder)) {
            Map<String, String> found =
                    versions(files.map(file -> file.getFileName().toString()).toList());
            found.keySet().retainAll(wanted);
            return found;
        } catch (IOException e) {
            return Map.of();
        }
    }

    static Map<String, String> versions(Collection<String> jars) {
        Map<String, String> versions = new TreeMap<>();
        for (String name : jars) {
            Matcher jar = JAR.matcher(name);
            if (jar.matches()) {
                versions.put(jar.group(1), jar.group(2));
            }
        }
        return versions;
    }
}

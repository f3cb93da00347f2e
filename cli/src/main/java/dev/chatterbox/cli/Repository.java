package dev.chatterbox.cli;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * The checkout that the commands work in. What it holds is found by looking, so that a new transport is in every command by
 * being there.
 */
record Repository(Path root) {

    /** The one of the script that called, else the working directory. */
    static Repository of(Map<String, String> environment) {
        return new Repository(
                Path.of(environment.getOrDefault("CHATTERBOX_HOME", "")).toAbsolutePath());
    }

    /** By name. */
    List<Transport> transports() {
        try (Stream<Path> folders = Files.list(root)) {
            List<Transport> transports = folders.filter(
                            folder -> folder.getFileName().toString().startsWith("square-service-"))
                    .filter(folder -> Files.exists(folder.resolve(Transport.FILE)))
                    .map(Transport::read)
                    .sorted(Comparator.comparing(Transport::name))
                    .toList();
            if (transports.isEmpty()) {
                throw new CliException("There is no square-service-*/transport.properties in " + root
                        + ": set CHATTERBOX_HOME to a checkout of Chatterbox.");
            }
            return transports;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The runnable jar of a module, the newest if several versions were built. */
    Path jar(String module) {
        Path target = root.resolve(module).resolve("target");
        if (Files.isDirectory(target)) {
            try (Stream<Path> files = Files.list(target)) {
                return files.filter(file -> file.getFileName().toString().startsWith(module)
                                && file.getFileName().toString().endsWith("-exec.jar"))
                        .max(Comparator.comparing(file -> file.toFile().lastModified()))
                        .orElseThrow(() -> notBuilt(module));
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
        throw notBuilt(module);
    }

    private static CliException notBuilt(String module) {
        return new CliException("%s is not built. Run: mvn -DskipTests package".formatted(module));
    }

    /** Where the workloads are described. */
    Path presets() {
        return root.resolve("cli").resolve("presets");
    }

    /** One folder for each comparison. */
    Path results() {
        return root.resolve(".chatterbox").resolve("results");
    }

    Stack stack(int offset) {
        return new Stack(offset, root.resolve(".chatterbox").resolve("stack-" + offset));
    }

    /** Those that were started and not yet stopped, by offset. */
    List<Stack> stacks() {
        Path folder = root.resolve(".chatterbox");
        if (!Files.isDirectory(folder)) {
            return List.of();
        }
        try (Stream<Path> folders = Files.list(folder)) {
            return folders.map(path -> path.getFileName().toString())
                    .filter(name -> name.matches("stack-(0|-?[1-9][0-9]{0,4})"))
                    .map(name -> stack(Integer.parseInt(name.substring("stack-".length()))))
                    .filter(stack -> !stack.members().isEmpty())
                    .sorted(Comparator.comparing(Stack::offset))
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}

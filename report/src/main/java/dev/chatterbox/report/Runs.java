package dev.chatterbox.report;

import dev.chatterbox.cli.CliException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The results of earlier comparisons, in folders named {@code <yyyyMMdd-HHmmss>-<name>}. */
record Runs(Path folder) {

    static final String LATEST = "latest";
    static final String PREVIOUS = "previous";

    private static final int LISTED = 8;

    /**
     * @param word a folder, a results.json, the name of a run or its beginning (with the time or without), {@code latest} or
     *     {@code previous}
     * @throws CliException if it names none, or several
     */
    Path find(String word) {
        List<String> names = names();
        if (word.equals(LATEST) || word.equals(PREVIOUS)) {
            int index = word.equals(LATEST) ? 0 : 1;
            if (names.size() <= index) {
                throw Results.badInput("There is no %s run: %s holds %s with a %s."
                        .formatted(word, folder, Format.counted(names.size(), "run"), Results.FILE));
            }
            return folder.resolve(names.get(index));
        }
        Path path = path(word);
        if (Files.exists(path)) {
            return path;
        }
        List<String> found = names.stream().filter(name -> name.equals(word)).toList();
        if (found.isEmpty() && !word.isEmpty()) {
            found = names.stream()
                    .filter(name -> name.startsWith(word)
                            || name.replaceFirst("^\\d{8}-\\d{6}-", "").startsWith(word))
                    .toList();
        }
        if (found.size() == 1) {
            return folder.resolve(found.get(0));
        }
        throw Results.badInput(
                found.isEmpty()
                        ? "There is no run '%s': no such folder or file, and nothing in %s begins so.%s"
                                .formatted(word, folder, listed(" It holds", names))
                        : "'%s' could be any of %s runs.%s"
                                .formatted(word, found.size(), listed(" Be more exact", found)));
    }

    private static Path path(String word) {
        try {
            return Path.of(word);
        } catch (InvalidPathException e) {
            throw Results.badInput("'%s' is no path and no name of a run.".formatted(word));
        }
    }

    private static String listed(String title, List<String> names) {
        if (names.isEmpty()) {
            return "";
        }
        return names.stream()
                .limit(LISTED)
                .collect(Collectors.joining("\n  ", title + ":\n  ", names.size() > LISTED ? "\n  …" : ""));
    }

    /** The newest first. */
    private List<String> names() {
        if (!Files.isDirectory(folder)) {
            return List.of();
        }
        try (Stream<Path> runs = Files.list(folder)) {
            return runs.filter(run -> Files.isRegularFile(run.resolve(Results.FILE)))
                    .map(run -> run.getFileName().toString())
                    .sorted(Comparator.reverseOrder())
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}

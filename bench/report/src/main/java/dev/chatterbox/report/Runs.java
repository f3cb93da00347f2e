package dev.chatterbox.report;

import dev.chatterbox.results.ResultsException;
import dev.chatterbox.results.ResultsFile;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The results of earlier comparisons.
 *
 * @param folder holds a folder for each of them, named {@code <yyyyMMdd-HHmmss>-<name>} unless somebody chose a name
 */
public record Runs(Path folder) {

    private static final String LATEST = "latest";
    private static final String PREVIOUS = "previous";

    private static final int LISTED = 8;

    /**
     * Finds a run.
     *
     * @param word a folder, a results.json, the name of a run or its beginning (with the time or without), {@code
     *     latest} or {@code previous}
     * @return a folder with a results.json, or what the word names if it is a path that exists
     * @throws ResultsException the word names no run, or several
     */
    public Path find(String word) {
        List<String> names = names();
        if (word.equals(LATEST) || word.equals(PREVIOUS)) {
            int index = word.equals(LATEST) ? 0 : 1;
            if (names.size() <= index) {
                throw new ResultsException("There is no %s run: %s holds %s with a %s."
                        .formatted(word, folder, Numbers.counted(names.size(), "run"), ResultsFile.NAME));
            }
            return folder.resolve(names.get(index));
        }
        Path path = path(word);
        if (Files.exists(path)) {
            return path;
        }
        List<String> found = names.stream()
                .filter(name -> name.startsWith(word)
                        || name.replaceFirst("^\\d{8}-\\d{6}-", "").startsWith(word))
                .filter(name -> name.equals(word) || !names.contains(word))
                .toList();
        if (found.size() == 1) {
            return folder.resolve(found.get(0));
        }
        throw new ResultsException(
                found.isEmpty()
                        ? "There is no run '%s': no such folder or file, and nothing in %s begins so.%s"
                                .formatted(word, folder, listed(" It holds", names))
                        : "'%s' could be any of %s runs.%s"
                                .formatted(word, found.size(), listed(" Be more exact", found)));
    }

    private static FileTime written(Path run) {
        try {
            return Files.getLastModifiedTime(run.resolve(ResultsFile.NAME));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Path path(String word) {
        try {
            return Path.of(word);
        } catch (InvalidPathException e) {
            throw new ResultsException("'%s' is no path and no name of a run.".formatted(word));
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

    /** The names of the runs, the one that was written last first, whatever their names are. */
    private List<String> names() {
        if (!Files.isDirectory(folder)) {
            return List.of();
        }
        try (Stream<Path> runs = Files.list(folder)) {
            return runs.filter(run -> Files.isRegularFile(run.resolve(ResultsFile.NAME)))
                    .sorted(Comparator.comparing(Runs::written)
                            .thenComparing(Comparator.naturalOrder())
                            .reversed())
                    .map(run -> run.getFileName().toString())
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}

package dev.chatterbox.report;

import dev.chatterbox.results.Numbers;
import dev.chatterbox.results.ResultsException;
import dev.chatterbox.results.ResultsFile;
import java.io.File;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/**
 * The results of earlier comparisons.
 *
 * @param folder holds a folder for each of them, named {@code <yyyyMMdd-HHmmss>-<name>} unless somebody chose a name
 */
public record Runs(Path folder) {

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
        int index = List.of("latest", "previous").indexOf(word);
        if (index >= 0) {
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

    private static Path path(String word) {
        try {
            return Path.of(word);
        } catch (InvalidPathException e) {
            throw new ResultsException("'%s' is no path and no name of a run.".formatted(word));
        }
    }

    private static String listed(String title, List<String> names) {
        String more = names.size() > LISTED ? "\n  …" : "";
        return names.isEmpty()
                ? ""
                : title + ":\n  " + String.join("\n  ", names.subList(0, Math.min(LISTED, names.size()))) + more;
    }

    /** The names of the runs, the one that was written last first, whatever their names are. */
    private List<String> names() {
        File[] runs = folder.toFile().listFiles(run -> new File(run, ResultsFile.NAME).isFile());
        return runs == null
                ? List.of()
                : Stream.of(runs)
                        .sorted(Comparator.comparingLong((File run) -> new File(run, ResultsFile.NAME).lastModified())
                                .thenComparing(File::getName)
                                .reversed())
                        .map(File::getName)
                        .toList();
    }
}

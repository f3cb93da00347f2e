package dev.chatterbox.report;

import dev.chatterbox.results.Numbers;
import dev.chatterbox.results.ResultsException;
import dev.chatterbox.results.ResultsFile;
import java.io.File;
import java.nio.file.Path;
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

    private static final int LISTED = 8;

    /**
     * Finds a run.
     *
     * @param word a folder, a results.json, {@code latest}, {@code previous}, or the name of a run or its beginning,
     *     with the time or without; of several runs that begin so, the latest is meant
     * @return a folder with a results.json, or what the word names if it is a path that exists
     * @throws ResultsException the word names no run
     */
    public Path find(String word) {
        int index = List.of("latest", "previous").indexOf(word);
        if (index < 0 && new File(word).exists()) {
            return Path.of(word);
        }
        List<String> names = names();
        Stream<String> found = index >= 0
                ? names.stream().skip(index)
                : names.stream()
                        .filter(name -> name.startsWith(word)
                                || name.replaceFirst("^\\d{8}-\\d{6}-", "").startsWith(word))
                        .sorted(Comparator.comparing(name -> !name.equals(word)));
        return found.findFirst().map(folder::resolve).orElseThrow(() -> {
            String begin = names.stream().limit(LISTED).map("\n  "::concat).collect(Collectors.joining());
            return new ResultsException("There is no run '%s': no such folder or file, and %s holds %s with a %s.%s%s"
                    .formatted(
                            word,
                            folder,
                            Numbers.counted(names.size(), "run"),
                            ResultsFile.NAME,
                            begin,
                            names.size() > LISTED ? "\n  …" : ""));
        });
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

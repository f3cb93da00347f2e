package dev.chatterbox.processes.programs;

import dev.chatterbox.processes.ProcessException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * A program of another project that this program starts, and the sources that may have it. A source that has it already
 * is preferred, in the order of the sources. Otherwise those that can fetch it are tried in the same order.
 *
 * @param name of the executable file
 * @param platform the machine on which it is looked for
 */
public record Program(String name, Platform platform, List<ProgramSource> sources) {

    public Program(String name, ProgramSource... sources) {
        this(name, Platform.current(), List.of(sources));
    }

    /** The same program on another machine. */
    public Program on(Platform platform) {
        return new Program(name, platform, sources);
    }

    /**
     * One line for people that says which program will run, or how it will be obtained.
     *
     * @throws ProcessException no source has the program for this machine, or the user chose a file that is no program
     */
    public String origin() {
        return present()
                .map(Path::toString)
                .or(() -> sources.stream()
                        .flatMap(source -> source.offer(name, platform).stream())
                        .findFirst())
                .orElseThrow(() -> missing(""));
    }

    /**
     * Finds or fetches the program. Fetching may take minutes the first time.
     *
     * @return an executable file
     * @throws ProcessException no source works; the message lists what was tried, and what would help
     */
    public Path obtain() {
        return present().orElseGet(this::fetch);
    }

    private Optional<Path> present() {
        return sources.stream()
                .flatMap(source -> source.present(name, platform).stream())
                .findFirst();
    }

    private Path fetch() {
        StringBuilder tried = new StringBuilder();
        for (ProgramSource source : sources) {
            if (source.offer(name, platform).isPresent()) {
                try {
                    return source.fetch(name, platform);
                } catch (IOException e) {
                    tried.append("%n%s".formatted(e.getMessage()));
                }
            }
        }
        throw missing(tried.toString());
    }

    private ProcessException missing(String tried) {
        return new ProcessException("%s is not on this platform.%s%nAny one of these gives it:%n%s"
                .formatted(
                        name,
                        tried,
                        sources.stream()
                                .flatMap(source -> source.advice(name).stream())
                                .map(advice -> "  - " + advice)
                                .collect(Collectors.joining(System.lineSeparator()))));
    }
}

package dev.chatterbox.processes.programs;

import dev.chatterbox.processes.ProcessException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * A program of somebody else that this one starts, and the sources that may have it. What is here already is taken
 * first, in the order of the sources; where nothing is here, the sources that can fetch it are tried in the same order.
 *
 * @param name of its executable file, without {@code .exe}
 * @param platform the machine on which it is looked for
 */
public record Program(String name, Platform platform, List<ProgramSource> sources) {

    public Program(String name, ProgramSource... sources) {
        this(name, Platform.current(), List.of(sources));
    }

    /** The same program on another machine than this one. */
    public Program on(Platform platform) {
        return new Program(name, platform, sources);
    }

    /**
     * One line for people: which program will run, or how it will be obtained.
     *
     * @throws ProcessException no source has it for this machine, or what the user chose is no program
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
     * Finds or fetches it; to fetch it may take minutes, once.
     *
     * @return an executable file
     * @throws ProcessException no source works; the message lists what was tried and what would give it
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

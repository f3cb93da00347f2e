package dev.chatterbox.processes;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * A program of somebody else that this one starts, and the ways to get it. What is here already is taken first, in
 * the order of the ways; where nothing is here, the ways that can fetch it are tried, in the same order. Immutable.
 */
public final class Program {

    private final String name;
    private final Platform platform;
    private final List<ProgramSource> ways;

    private Program(String name, Platform platform, List<ProgramSource> ways) {
        this.name = name;
        this.platform = platform;
        this.ways = ways;
    }

    /** @param name of its executable file, without {@code .exe} */
    public static Program named(String name) {
        return new Program(name, Platform.current(), List.of());
    }

    /** The same program on a machine that is told in place of this one. */
    public Program on(Platform platform) {
        return new Program(name, platform, ways);
    }

    /** The same program, to be had in these ways. */
    public Program from(ProgramSource... ways) {
        return new Program(name, platform, List.of(ways));
    }

    /**
     * One line for people: which program will run, or how it will be obtained.
     *
     * @throws ProcessException no way is open on this machine, or what the user chose is no program
     */
    public String origin() {
        return present()
                .map(Path::toString)
                .or(() -> ways.stream()
                        .flatMap(way -> way.offer(name, platform).stream())
                        .findFirst())
                .orElseThrow(() -> missing(""));
    }

    /**
     * Finds or fetches it; to fetch it may take minutes, once.
     *
     * @return an executable file
     * @throws ProcessException no way works; the message lists what was tried and what would give it
     */
    public Path obtain() {
        return present().orElseGet(this::fetch);
    }

    private Optional<Path> present() {
        return ways.stream()
                .flatMap(way -> way.present(name, platform).stream())
                .findFirst();
    }

    private Path fetch() {
        StringBuilder tried = new StringBuilder();
        for (ProgramSource way : ways) {
            if (way.offer(name, platform).isPresent()) {
                try {
                    return way.fetch(name, platform);
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
                        ways.stream()
                                .flatMap(way -> way.advice(name).stream())
                                .map(advice -> "  - " + advice)
                                .collect(Collectors.joining(System.lineSeparator()))));
    }
}

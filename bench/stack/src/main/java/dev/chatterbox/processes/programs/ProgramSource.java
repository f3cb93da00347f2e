package dev.chatterbox.processes.programs;

import dev.chatterbox.processes.ProcessException;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/** A source of a {@link Program}. Immutable. */
public interface ProgramSource {

    /**
     * The program, if this source already has it.
     *
     * @throws ProcessException the user chose a file that is no program
     */
    Optional<Path> present(String program, Platform platform);

    /** One line for people that says what {@link #fetch} would do; empty if it cannot fetch the program here. */
    default Optional<String> offer(String program, Platform platform) {
        return Optional.empty();
    }

    /**
     * Gets the program into the cache. Two processes may do so at once.
     *
     * @throws IOException it did not work; the message begins with what was tried
     */
    default Path fetch(String program, Platform platform) throws IOException {
        throw new IOException(program + " cannot be fetched in this way");
    }

    /** What people can do so that this source has the program; empty if they can do nothing. */
    Optional<String> advice(String program);

    /** The file that an environment variable names. */
    static ProgramSource variable(String variable) {
        return new LocalProgram(
                (program, platform) -> LocalProgram.chosen(platform, variable, file -> file, "not an executable file"),
                program -> "set %s to a %s program".formatted(variable, program));
    }

    /** @param packages how it is installed, such as {@code Debian: apt install golang} */
    static ProgramSource path(String packages) {
        return new LocalProgram(
                (program, platform) -> platform.onPath(program),
                program -> "put %s on the PATH (%s)".formatted(program, packages));
    }

    /** The program in the folder that an environment variable names. */
    static ProgramSource folder(String variable) {
        return new LocalProgram(
                (program, platform) -> LocalProgram.chosen(
                        platform, variable, folder -> folder.resolve(program), "no folder with the program " + program),
                program -> "set %s to a folder with the program %s".formatted(variable, program));
    }

    /** The program in the first of these folders that has it, where packages put it outside of the PATH. */
    static ProgramSource installed(String... folders) {
        return new LocalProgram(
                (program, platform) -> Stream.of(folders)
                        .map(folder -> Path.of(folder).resolve(program))
                        .filter(Platform::isProgram)
                        .findFirst(),
                program -> "");
    }

    /**
     * The program as Go builds it, if Go is on the PATH; that takes about a minute the first time. Go checks the
     * module's checksum with its public checksum database.
     *
     * @param module the module or a package in it; Go names the program by the last part of this path
     * @param version such as {@code v1.2.3}
     */
    static ProgramSource goInstall(String module, String version) {
        return new GoInstall(module, version);
    }

    /**
     * The program from a release's archive.
     *
     * @param size of the download, for people
     * @param address the beginning of the archives' addresses; a key of the checksums is the end
     * @param sha256 the checksums, by the end of the archive's name, such as {@code linux-amd64.tar.gz}
     */
    static ProgramSource download(String version, String size, String address, Map<String, String> sha256) {
        return new Download(version, size, address, sha256, Duration.ofMinutes(15));
    }
}

package dev.chatterbox.processes;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** One way to get a {@link Program}. Immutable. */
public interface ProgramSource {

    /** The end of an archive's name that is the same on every system. */
    String ANY_SYSTEM = "bin.tar.gz";

    /**
     * The program, if this way has it without work.
     *
     * @throws ProcessException the user chose one that is none
     */
    Optional<Path> present(String program, Platform platform);

    /**
     * One line for people: what {@link #fetch} would do; empty if this way cannot fetch the program on this platform.
     */
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

    /** What people can do to open this way, if they can. */
    default Optional<String> advice(String program) {
        return Optional.empty();
    }

    /** The file that an environment variable names. */
    static ProgramSource variable(String variable) {
        return new Present.Variable(variable);
    }

    /** @param packages how package managers give it, as {@code macOS: brew install nats-server} */
    static ProgramSource path(String packages) {
        return new Present.OnPath(packages);
    }

    /** The program in the folder that an environment variable names. */
    static ProgramSource folder(String variable) {
        return new Present.Folder(variable);
    }

    /** Where packages put it outside of the PATH: the first of these folders that has it. */
    static ProgramSource installed(String... folders) {
        return new Present.Installed(List.of(folders));
    }

    /**
     * Built by Go, where Go is on the PATH; takes about a minute, once. Go checks the module's checksum with its public
     * register of them.
     *
     * @param module or a package in it; Go calls the program by the last part of its path, whatever it is called here
     * @param version {@code v1.2.3}
     */
    static ProgramSource goInstall(String module, String version) {
        return new GoInstall(module, version);
    }

    /**
     * The program out of a release's archive.
     *
     * @param size of the download, for people
     * @param address what the archives' addresses begin with; what follows is a key of the checksums
     * @param sha256 by the end of the archive's name, {@code linux-amd64.tar.gz}, or {@link #ANY_SYSTEM}
     */
    static ProgramSource download(String version, String size, String address, Map<String, String> sha256) {
        return new Download(version, size, address, sha256, Optional.empty());
    }

    /**
     * A release's archive unpacked as a whole, for a program that needs the files around it.
     *
     * @param path of the program in the archive's only folder, {@code bin/pulsar}
     */
    static ProgramSource downloadFolder(
            String version, String size, String address, Map<String, String> sha256, String path) {
        return new Download(version, size, address, sha256, Optional.of(path));
    }
}

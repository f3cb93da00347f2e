package dev.chatterbox.comparison.environment;

import dev.chatterbox.processes.Command;
import dev.chatterbox.processes.Io;
import java.io.IOException;
import java.io.Reader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Properties;
import org.jspecify.annotations.Nullable;

/**
 * The commit of a checkout, or of a release's archive.
 *
 * @param commit the abbreviated commit; null if it is unknown
 * @param dirty whether files were changed after the commit; null if it is unknown
 * @param time the time of the commit from which a release's archive was made; null for a checkout
 */
public record Revision(
        @Nullable String commit,
        @Nullable Boolean dirty,
        @Nullable String time) {

    /** This file is in the archive of a release, and nowhere else. */
    private static final String RELEASE = "release.properties";

    private static final Duration TIMEOUT = Duration.ofMinutes(1);

    public static Revision of(Path folder) {
        Path release = folder.resolve(RELEASE);
        Properties properties = new Properties();
        if (Files.exists(release)) {
            try (Reader reader = Files.newBufferedReader(release)) {
                properties.load(reader);
            } catch (IOException e) {
                // Then nothing is known.
            }
        } else if (isCheckout(folder)) {
            git(folder, "rev-parse", "--short", "HEAD").ifPresent(commit -> properties.put("commit", commit));
            git(folder, "status", "--porcelain")
                    .ifPresent(changes -> properties.put("dirty", String.valueOf(!changes.isEmpty())));
        }
        return new Revision(
                properties.getProperty("commit"),
                properties.containsKey("dirty") ? Boolean.valueOf(properties.getProperty("dirty")) : null,
                properties.getProperty("time"));
    }

    /** Whether a folder is the root of a checkout, and not a folder in the checkout of something else. */
    public static boolean isCheckout(Path folder) {
        return git(folder, "rev-parse", "--show-prefix").filter(String::isEmpty).isPresent();
    }

    /** What git printed; empty if it failed. The user's hooks, which may fail, are not for the bench's worktrees. */
    public static Optional<String> git(Path folder, String... arguments) {
        List<String> command =
                new ArrayList<>(List.of("git", "-c", "core.hooksPath=/dev/null", "-C", folder.toString()));
        command.addAll(List.of(arguments));
        return Io.ifPossible(() -> Command.run(TIMEOUT, command));
    }

    @Override
    public String toString() {
        return (commit == null ? "commit unknown" : "commit " + commit)
                + (Boolean.TRUE.equals(dirty) ? ", with changes" : "")
                + (time == null ? ", a checkout" : " of " + time + ", a release");
    }
}

package dev.chatterbox.cli;

import dev.chatterbox.comparison.environment.Revision;
import dev.chatterbox.processes.Command;
import dev.chatterbox.processes.ProcessException;
import dev.chatterbox.stack.Repository;
import dev.chatterbox.stack.UsageException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * The base that {@code compare --against} compares this checkout with. It is a folder, with a checkout or an unpacked
 * release, or it is a commit in a git worktree, which is removed when this is closed.
 *
 * @param own the root of this checkout
 * @param root of the base
 */
record Base(Path own, Path root, boolean worktree) implements AutoCloseable {

    /** The worktree of a run, with the run's pid; those of some older versions have its start behind that. */
    private static final Pattern BASE = Pattern.compile("(?m)^worktree (.*/\\.chatterbox/base-(\\d{1,18})(?:-\\d+)?)$");

    /** What this version needs of a base; the last one is the newest. */
    private static final List<String> LAYOUT = List.of("chatterbox", "variants", "bench/clients");

    private static final Duration BUILD_TIMEOUT = Duration.ofMinutes(30);

    /**
     * Finds the base. If the base is a commit, git checks it out.
     *
     * @throws UsageException the text names neither a folder nor a commit, or its files are laid out in another way
     */
    static Base of(Repository own, String text, Terminal terminal) {
        sayIfDirty("This checkout", own.root(), terminal);
        Path folder = Path.of(text).toAbsolutePath().normalize();
        Base base =
                Files.isDirectory(folder) ? new Base(own.root(), folder, false) : checkOut(own.root(), text, terminal);
        try {
            base.requireLayout(text);
        } catch (UsageException e) {
            base.close();
            throw e;
        }
        sayIfDirty("The base", base.root, terminal);
        return base;
    }

    private static Base checkOut(Path own, String text, Terminal terminal) {
        if (!Revision.isCheckout(own)) {
            throw new UsageException("--against %s is neither a folder nor a commit: %s is not the root of a checkout."
                    .formatted(text, own));
        }
        String commit = Revision.git(own, "rev-parse", "--verify", "--quiet", "--end-of-options", text + "^{commit}")
                .orElseThrow(() -> new UsageException(
                        "--against %s is neither a folder nor a commit of this checkout.".formatted(text)));
        removeThoseOfKilledRuns(own);
        Path root = own.resolve(".chatterbox/base-" + ProcessHandle.current().pid());
        Base base = new Base(own, root, true);
        if (Revision.git(own, "worktree", "add", "--detach", root.toString(), commit)
                .isEmpty()) {
            base.close();
            throw new ProcessException("git could not check %s out to %s.".formatted(commit, root));
        }
        terminal.line("The base is commit " + commit);
        return base;
    }

    private void requireLayout(String text) {
        for (String file : LAYOUT) {
            if (!Files.exists(root.resolve(file))) {
                String first = Revision.git(own, "log", "--diff-filter=A", "--format=%h", "--reverse", "--", file)
                        .flatMap(commits -> commits.lines().findFirst())
                        .map("; the first commit that has it is %s"::formatted)
                        .orElse("");
                throw new UsageException("--against %s cannot be compared with this version: it has no %s%s."
                        .formatted(text, file, first));
            }
        }
    }

    /** Also that of an earlier process which had this one's pid. */
    private static void removeThoseOfKilledRuns(Path own) {
        Revision.git(own, "worktree", "list", "--porcelain")
                .map(BASE::matcher)
                .ifPresent(base -> base.results()
                        .filter(left -> isOver(Long.parseLong(left.group(2))))
                        .forEach(left -> Revision.git(own, "worktree", "remove", "--force", left.group(1))));
        Revision.git(own, "worktree", "prune");
    }

    private static boolean isOver(long pid) {
        return pid == ProcessHandle.current().pid() || ProcessHandle.of(pid).isEmpty();
    }

    private static void sayIfDirty(String what, Path root, Terminal terminal) {
        if (Boolean.TRUE.equals(Revision.of(root).dirty())) {
            terminal.line(what + " has changes that are not committed.");
        }
    }

    /**
     * Runs the base's own script, which builds what is stale, with the JDK of this program.
     *
     * @param variants names of variants, which may need more modules than the default variants
     * @throws ProcessException the base cannot be built
     */
    Repository build(List<String> variants) {
        // No version has a command that only builds. This one builds everything, then fails because of its option.
        String refused = """
                unset CHATTERBOX_HOME CHATTERBOX_VARIANTS
                JAVA_HOME=$1 "$0" up --transports "$2" --port-offset none
                [ $? -eq %d ]""".formatted(ExitCode.WRONG_USAGE);
        String script = root.resolve("chatterbox").toString();
        String names = String.join(",", variants);
        try {
            Command.run(BUILD_TIMEOUT, List.of("sh", "-c", refused, script, System.getProperty("java.home"), names));
        } catch (IOException e) {
            throw new ProcessException("The base in %s cannot be built. %s".formatted(root, e.getMessage()));
        }
        return new Repository(root, Optional.empty());
    }

    @Override
    public void close() {
        if (worktree) {
            // Ctrl-C may have ended git, and interrupted this thread.
            boolean interrupted = Thread.interrupted();
            Revision.git(own, "worktree", "remove", "--force", root.toString());
            Revision.git(own, "worktree", "prune");
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }
}

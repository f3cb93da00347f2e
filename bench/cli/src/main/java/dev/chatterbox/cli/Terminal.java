package dev.chatterbox.cli;

import dev.chatterbox.report.tables.Emphasis;
import dev.chatterbox.stack.Steps;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.function.BooleanSupplier;
import java.util.stream.Collectors;

/**
 * The standard streams: lines that stay, and on a terminal the progress below them. Thread-safe.
 */
public final class Terminal implements Steps, Emphasis {

    private static final int WIDTH = 79;

    private final PrintStream out;
    private final PrintStream err;
    private final boolean interactive;
    private final boolean colours;
    private String progress = "";
    private BooleanSupplier traces = () -> false;

    Terminal(PrintStream out, PrintStream err, boolean interactive, boolean colours) {
        this.out = out;
        this.err = err;
        this.interactive = interactive;
        this.colours = colours;
    }

    /**
     * @param environment {@code CHATTERBOX_TTY} is 1 if the output is a terminal: the script knows it, while Java's
     *     {@code System.console()} means something else in every other release
     */
    public static Terminal of(Map<String, String> environment) {
        boolean interactive = "1".equals(environment.get("CHATTERBOX_TTY"));
        // no-color.org says that the variable counts if it is set and not empty.
        boolean colours =
                interactive && environment.getOrDefault("NO_COLOR", "").isEmpty();
        return new Terminal(utf8(FileDescriptor.out), utf8(FileDescriptor.err), interactive, colours);
    }

    /** The stream is UTF-8 in every locale: under LANG=C, Java 17 would print question marks. */
    private static PrintStream utf8(FileDescriptor descriptor) {
        return new PrintStream(new FileOutputStream(descriptor), true, StandardCharsets.UTF_8);
    }

    @Override
    public boolean interactive() {
        return interactive;
    }

    PrintStream out() {
        return out;
    }

    @Override
    public synchronized void line(String line) {
        clearProgress();
        out.println(line);
    }

    @Override
    public void done(String what, double seconds) {
        line("%s %-28s %5.1f s".formatted(green("✓"), what, seconds));
    }

    public synchronized void error(String message) {
        clearProgress();
        out.flush();
        err.println(red("✗ ") + message);
    }

    @Override
    public synchronized void progress(String text) {
        String fitting = text.lines()
                .map(line -> line.length() > WIDTH ? line.substring(0, WIDTH - 1) + "…" : line)
                .collect(Collectors.joining("\n"));
        if (interactive && !fitting.equals(progress)) {
            clearProgress();
            progress = fitting;
            out.print(fitting);
            out.flush();
        }
    }

    /** @param wanted whether the person wants to see stack traces */
    void traces(BooleanSupplier wanted) {
        traces = wanted;
    }

    @Override
    public synchronized void trace(Exception failure) {
        if (traces.getAsBoolean()) {
            clearProgress();
            failure.printStackTrace(err);
        }
    }

    private void clearProgress() {
        if (!progress.isEmpty()) {
            // Erases each line, the last one first.
            out.print("\r\033[K" + "\033[A\033[K".repeat((int) progress.lines().count() - 1));
            progress = "";
        }
    }

    public String green(String text) {
        return coloured(32, text);
    }

    @Override
    public String red(String text) {
        return coloured(31, text);
    }

    @Override
    public String bold(String text) {
        return coloured(1, text);
    }

    private String coloured(int code, String text) {
        return colours ? "\033[" + code + "m" + text + "\033[0m" : text;
    }
}

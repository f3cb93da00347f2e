package dev.chatterbox.cli;

import dev.chatterbox.resilience.BacklogResults;
import dev.chatterbox.resilience.BacklogTables;
import dev.chatterbox.resilience.Backlogs;
import dev.chatterbox.rows.Row;
import dev.chatterbox.stack.Repository;
import dev.chatterbox.stack.Testbed;
import dev.chatterbox.stack.UsageException;
import dev.chatterbox.transport.Exchange;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;
import tools.jackson.databind.json.JsonMapper;

@Command(
        name = "pressure",
        description = {
            "Hold the consumers of each row's queue while messages are published, and watch the broker until all are gone.",
            "Exit code 1 also if an acknowledged message is lost, or a backlog does not go. docs/pressure.md explains it."
        },
        footer = {"", "  ./chatterbox pressure backlog --transports jetstream,kafka --seconds 10"})
final class Pressure implements Callable<Integer> {

    private static final int MOST_SECONDS = 300;
    private static final int MOST_PAYLOAD = 131_072;
    private static final long MOST_BYTES = 2L << 30;

    private final Repository repository;
    private final Terminal terminal;

    @Spec
    private @Nullable CommandSpec spec;

    @Parameters(paramLabel = "WHAT", description = "backlog: messages pile up, and go again.")
    private String what = "";

    @Mixin
    private final TransportsOption transports = new TransportsOption();

    @Option(
            names = "--seconds",
            paramLabel = "N",
            description = "How long the consumers are held, 1 to " + MOST_SECONDS + " (default: ${DEFAULT-VALUE}).")
    private int seconds = 30;

    @Option(
            names = "--payload",
            paramLabel = "BYTES",
            description = "Of each message, 0 to " + MOST_PAYLOAD + " (default: ${DEFAULT-VALUE}).")
    private int payload = 1024;

    @Option(
            names = "--bytes",
            paramLabel = "SIZE",
            description = "The most that all payloads of a run have, such as 500m or 2g (default: ${DEFAULT-VALUE}); "
                    + "twice as much of disk must be free.")
    private String bytes = "2g";

    @Mixin
    private final OwnStackOptions own = new OwnStackOptions();

    Pressure(Repository repository, Terminal terminal) {
        this.repository = repository;
        this.terminal = terminal;
    }

    @Override
    public Integer call() throws IOException {
        if (!what.equals("backlog")) {
            throw new UsageException("'%s' is not known; there is: backlog".formatted(what));
        }
        require("--seconds", seconds, 1, MOST_SECONDS);
        require("--payload", payload, 0, MOST_PAYLOAD);
        long size = size(bytes);
        List<String> chosen = repository.rows().choose(transports.names).stream()
                .filter(row -> row.exchanges().contains(Exchange.QUEUE))
                .map(Row::name)
                .toList();
        if (chosen.isEmpty()) {
            throw new UsageException("None of these rows has the exchange queue; rows/*.properties say which have.");
        }
        Backlogs.Plan plan = new Backlogs.Plan(chosen, seconds, payload, size);
        requireDisk(2 * plan.bytes());
        try (Testbed testbed = own.open(repository, chosen, 0, terminal)) {
            return run(plan, testbed);
        }
    }

    private static void require(String option, int value, int least, int most) {
        if (value < least || value > most) {
            throw new UsageException("%s must be %d to %d, but it is %d".formatted(option, least, most, value));
        }
    }

    private static long size(String text) {
        if (!text.matches("[0-9]{1,9}[kmg]?")) {
            throw new UsageException("--bytes: a size is such as 500m or 2g, but it is '%s'".formatted(text));
        }
        int unit = "kmg".indexOf(text.charAt(text.length() - 1)) + 1;
        long size = Long.parseLong(text.replaceAll("\\D", "")) << 10 * unit;
        if (size < 1 || size > MOST_BYTES) {
            throw new UsageException("--bytes must be 1 to 2g, but it is '%s'".formatted(text));
        }
        return size;
    }

    private void requireDisk(long needed) throws IOException {
        Files.createDirectories(repository.results());
        long free = Files.getFileStore(repository.results()).getUsableSpace();
        if (free < needed) {
            throw new UsageException(
                    "--bytes %s needs %,d MB of free disk, twice as much, and %,d MB are free. Choose fewer, such as --bytes %dm"
                            .formatted(bytes, needed >> 20, free >> 20, Math.max(1, free >> 22)));
        }
    }

    private int run(Backlogs.Plan plan, Testbed testbed) throws IOException {
        Backlogs backlogs = new Backlogs(testbed, plan, terminal);
        terminal.line("Backlogs of %s; about %s"
                .formatted(String.join(", ", plan.rows()), Measurements.readable(backlogs.seconds())));
        Thread runner = Thread.currentThread();
        try (Interruption interruption = new Interruption(() -> interrupt(runner), terminal)) {
            try {
                backlogs.run();
            } catch (InterruptedException e) {
                // The person has pressed Ctrl-C.
            } finally {
                Thread.interrupted();
                write(backlogs);
                testbed.close();
            }
        }
        return backlogs.results("").allMet() ? ExitCode.OK : ExitCode.FAILED;
    }

    private void interrupt(Thread runner) {
        terminal.line("Interrupted; keeping what was measured.");
        runner.interrupt();
    }

    private void write(Backlogs backlogs) throws IOException {
        BacklogResults results = backlogs.results(Measurements.command(spec));
        Path folder = own.folder(repository, "pressure");
        Files.writeString(
                folder.resolve("backlog.json"),
                JsonMapper.shared().writerWithDefaultPrettyPrinter().writeValueAsString(results));
        Files.writeString(folder.resolve("backlog.md"), BacklogTables.markdown(results));
        terminal.line("%s Also as tables: %s".formatted(results.summary(), folder.resolve("backlog.md")));
    }
}

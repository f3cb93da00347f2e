package dev.chatterbox.cli;

import dev.chatterbox.resilience.BacklogCase;
import dev.chatterbox.resilience.ScenarioRun;
import dev.chatterbox.resilience.StackUnderTest;
import dev.chatterbox.stack.Repository;
import dev.chatterbox.stack.Testbed;
import dev.chatterbox.stack.UsageException;
import dev.chatterbox.transport.CallMode;
import dev.chatterbox.variants.Variant;
import java.io.IOException;
import java.nio.file.Files;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(
        name = "pressure",
        description = {
            "Hold the consumers of each variant's queue while messages are published, and watch the broker until all are gone.",
            "Exit code 1 also if an acknowledged message is lost, or a backlog does not go. docs/pressure.md explains it."
        },
        footer = {"", "  ./chatterbox pressure backlog --transports jetstream,kafka --seconds 10"})
final class Pressure implements Callable<Integer> {

    private static final int MOST_SECONDS = 300;
    private static final int MOST_PAYLOAD = 131_072;
    private static final long MOST_BYTES = 2L << 30;

    private final Repository repository;
    private final Terminal terminal;

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
        List<String> chosen = repository.variants().choose(transports.names).stream()
                .filter(variant -> variant.modes().contains(CallMode.QUEUE))
                .map(Variant::name)
                .toList();
        if (chosen.isEmpty()) {
            throw new UsageException(
                    "None of these variants has the call mode queue; variants/*.properties say which have.");
        }
        BacklogCase.Plan plan = new BacklogCase.Plan(seconds, payload, size);
        BacklogCase.Plan.requireDisk(Files.createDirectories(repository.results()), size);
        try (Testbed testbed = own.open(repository, chosen, 0, terminal)) {
            StackUnderTest stack = OwnStackOptions.stack(testbed, chosen, CallTimeout.of(""), terminal);
            ScenarioRun run = new ScenarioRun(stack);
            terminal.line("Backlogs of %s; about %s"
                    .formatted(String.join(", ", chosen), Measurements.readable(plan.seconds(chosen.size()))));
            return own.measure(testbed, run, "backlog", terminal, () -> run.run(BacklogCase.of(stack, plan)));
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
}

package dev.chatterbox.cli;

import dev.chatterbox.comparison.environment.Revision;
import dev.chatterbox.control.ControlServer;
import dev.chatterbox.control.StackFaults;
import dev.chatterbox.processes.Lifetime;
import dev.chatterbox.processes.ProcessException;
import dev.chatterbox.results.ResultsException;
import dev.chatterbox.stack.Control;
import dev.chatterbox.stack.Repository;
import dev.chatterbox.stack.Stack;
import dev.chatterbox.stack.UsageException;
import dev.chatterbox.variants.VariantException;
import dev.chatterbox.workloads.WorkloadException;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.IVersionProvider;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ScopeType;

@Command(
        name = "./chatterbox",
        description = "Without a command: compare what N calls per request cost over REST, NATS and Kafka.",
        mixinStandardHelpOptions = true,
        scope = ScopeType.INHERIT,
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {
            "0:done; status: everything is up",
            "1:failed; the message says why and what to do. compare: also if a variant is not valid (errors, or counts that disagree); resilience: also if a criterion is missed",
            "2:wrong usage",
            "3:status: not everything is up; compare --against: a variant costs more than --fail-above allows",
            "130:ended by Ctrl-C"
        })
final class Chatterbox extends CheckoutCommand {

    /** The service of the live page, which is this program. */
    static final Control CONTROL = new Control(Chatterbox.class);

    private final Compare compare;

    @Option(
            names = "--debug",
            scope = ScopeType.INHERIT,
            description = "Print stack traces; CHATTERBOX_DEBUG=1 does the same.")
    private boolean debug;

    private Chatterbox(Repository repository, Terminal terminal, Compare compare, Map<String, String> environment) {
        super(repository, terminal);
        this.compare = compare;
        this.debug = "1".equals(environment.get("CHATTERBOX_DEBUG"));
    }

    public static void main(String[] args) {
        // Numbers in files, commands and addresses have ASCII digits and points, whatever the user's language is.
        Locale.setDefault(Locale.ROOT);
        System.exit(commandLine(Terminal.of(System.getenv()), System.getenv()).execute(args));
    }

    static CommandLine commandLine(Terminal terminal, Map<String, String> environment) {
        Repository repository = Repository.of(environment);
        Compare compare = new Compare(repository, terminal, environment);
        Chatterbox chatterbox = new Chatterbox(repository, terminal, compare, environment);
        terminal.traces(() -> chatterbox.debug);
        CommandLine commandLine = new CommandLine(chatterbox)
                .addSubcommand(new Up(repository, terminal, environment))
                .addSubcommand(new Down(repository, terminal))
                .addSubcommand(new Status(repository, terminal))
                .addSubcommand(new Fault(repository, terminal))
                .addSubcommand(new Resilience(repository, terminal, environment))
                .addSubcommand(compare)
                .addSubcommand(new Claims(repository, terminal, compare::compare))
                .addSubcommand(new ReportCommand(repository, terminal))
                .addSubcommand(new Diff(repository, terminal))
                .addSubcommand(new Publish(repository, terminal))
                .addSubcommand(new Doctor(repository, terminal))
                .setOut(new PrintWriter(terminal.out(), true))
                .setExecutionExceptionHandler(chatterbox::report);
        return withVersion(commandLine, chatterbox::version);
    }

    /** Runs the quick comparison, because no command is given. */
    @Override
    public Integer call() throws IOException {
        return compare.call();
    }

    /** Runs until a signal ends it. */
    @Command(name = Control.NAME, hidden = true, description = "Serve the live page's load and faults; 'up' starts it.")
    int control(
            @Mixin PortOffset offset,
            @Option(names = "--chatterbox.process", hidden = true, description = "The mark of a stack's processes.")
                    @Nullable
                    String mark)
            throws IOException, InterruptedException {
        Stack stack = repository.stack(offset.value());
        StackFaults faults = new StackFaults(stack, CONTROL, Lifetime.DETACHED);
        ControlServer server = ControlServer.start(faults, Chatterbox.class);
        Runtime.getRuntime().addShutdownHook(new Thread(server::close, "close-control"));
        new CountDownLatch(1).await();
        return ExitCode.OK;
    }

    /** The command line, as a person typed it. */
    static String typed(@Nullable CommandSpec spec) {
        CommandSpec program = Objects.requireNonNull(spec).root();
        return program.commandLine().getParseResult().originalArgs().stream()
                .map(argument -> argument.matches("[^\\s;]*") ? argument : "'" + argument + "'")
                .collect(Collectors.joining(" ", "./chatterbox ", ""))
                .strip();
    }

    private int report(Exception e, CommandLine commandLine, CommandLine.ParseResult parseResult) {
        if (debug) {
            terminal.trace(e);
        } else if (isForeseen(e)) {
            terminal.error(String.valueOf(e.getMessage()));
        } else if (e instanceof IOException || e instanceof UncheckedIOException) {
            terminal.error("Reading or writing failed: " + (e instanceof IOException ? e : e.getCause()));
        } else {
            terminal.error("%s%n  This error was not expected; --debug shows where it happened.".formatted(e));
        }
        return isBadInput(e) ? ExitCode.WRONG_USAGE : ExitCode.FAILED;
    }

    /** Whether the exception's message is written for the person at the terminal. */
    static boolean isForeseen(Exception e) {
        return isBadInput(e) || e instanceof ProcessException;
    }

    private static boolean isBadInput(Exception e) {
        return e instanceof UsageException
                || e instanceof VariantException
                || e instanceof WorkloadException
                || e instanceof ResultsException;
    }

    /** Once all commands are there: before that Picocli asks for the version, and so Git, with each command it adds. */
    private static CommandLine withVersion(CommandLine commandLine, IVersionProvider version) {
        commandLine.getCommandSpec().versionProvider(version);
        commandLine.getSubcommands().values().forEach(command -> withVersion(command, version));
        return commandLine;
    }

    private String[] version() {
        String version = Chatterbox.class.getPackage().getImplementationVersion();
        return new String[] {
            "chatterbox " + (version == null ? "(not packaged)" : version),
            Revision.of(repository.root()).toString(),
            "Java " + Runtime.version()
        };
    }
}

package dev.chatterbox.cli;

import dev.chatterbox.brokers.BrokerException;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.IVersionProvider;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ScopeType;
import picocli.CommandLine.Spec;

/** The program. */
@Command(
        name = "./chatterbox",
        description = "What do N backend calls per request cost over REST, NATS and Kafka?",
        mixinStandardHelpOptions = true,
        versionProvider = Chatterbox.Version.class,
        scope = ScopeType.INHERIT,
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {
            "0:done; status: everything is up",
            "1:failed; the message says why and what to do",
            "2:wrong usage",
            "3:status: not everything is up",
            "130:ended by Ctrl-C"
        })
final class Chatterbox implements Callable<Integer> {

    private final Terminal terminal;

    @Spec
    private @Nullable CommandSpec spec;

    @Option(
            names = "--debug",
            scope = ScopeType.INHERIT,
            description = "Print stack traces; CHATTERBOX_DEBUG=1 does the same.")
    private boolean debug;

    private Chatterbox(Terminal terminal, Map<String, String> environment) {
        this.terminal = terminal;
        this.debug = "1".equals(environment.get("CHATTERBOX_DEBUG"));
    }

    public static void main(String[] args) {
        System.exit(commandLine(Terminal.of(System.getenv()), System.getenv()).execute(args));
    }

    static CommandLine commandLine(Terminal terminal, Map<String, String> environment) {
        Repository repository = Repository.of(environment);
        Chatterbox chatterbox = new Chatterbox(terminal, environment);
        return new CommandLine(chatterbox)
                .addSubcommand(new Up(repository, terminal))
                .addSubcommand(new Down(repository, terminal))
                .addSubcommand(new Status(repository, terminal))
                .addSubcommand(new Doctor(repository, terminal))
                .setOut(new PrintWriter(terminal.out(), true))
                .setExecutionExceptionHandler(chatterbox::report);
    }

    /** Without a word. The quick comparison will be here. */
    @Override
    public Integer call() {
        if (spec != null) {
            spec.commandLine().usage(terminal.out());
        }
        terminal.line("\nThe comparison is not here yet. To try the system: ./chatterbox up");
        return ExitCode.OK;
    }

    private int report(Exception e, CommandLine commandLine, CommandLine.ParseResult parseResult) {
        if (debug) {
            e.printStackTrace();
        } else if (e instanceof CliException || e instanceof BrokerException) {
            terminal.error(String.valueOf(e.getMessage()));
        } else if (e instanceof UncheckedIOException io) {
            terminal.error("A file cannot be read or written: " + io.getCause());
        } else {
            terminal.error("%s%n  This was not foreseen; --debug shows where.".formatted(e));
        }
        return e instanceof CliException known ? known.exitCode() : ExitCode.FAILED;
    }

    static final class Version implements IVersionProvider {
        @Override
        public String[] getVersion() {
            String version = Chatterbox.class.getPackage().getImplementationVersion();
            return new String[] {"chatterbox " + (version == null ? "(not packaged)" : version)};
        }
    }
}

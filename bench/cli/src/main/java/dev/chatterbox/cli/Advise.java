package dev.chatterbox.cli;

import dev.chatterbox.report.AdviceText;
import dev.chatterbox.report.PublishedTables;
import dev.chatterbox.report.Runs;
import dev.chatterbox.report.advice.Question;
import dev.chatterbox.results.ResultsException;
import dev.chatterbox.rows.Row;
import dev.chatterbox.rows.Rows;
import dev.chatterbox.stack.Repository;
import dev.chatterbox.stack.UsageException;
import dev.chatterbox.workloads.Load;
import dev.chatterbox.workloads.Workload;
import dev.chatterbox.workloads.WorkloadException;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.Callable;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Says which rows fit a need. The exit code is 2 if no row that fits has a figure. */
@Command(
        name = "advise",
        description = {
            "Which transport for which need: the rows that fit, what each would cost,",
            "which of them the figures cannot tell apart, and what breaks the tie.",
            "On a terminal, and without options, it asks."
        },
        footer = {
            "",
            "A RUN is named as for diff; without one, latest if it can answer,",
            "else docs/results/headline.json.gz.",
            "",
            "  ./chatterbox advise --calls 40 --rate 200 --may-lose no --broker nats"
        })
final class Advise implements Callable<Integer> {

    private static final String HEADLINE = PublishedTables.FOLDER + "/headline.json.gz";

    private final Repository repository;
    private final Terminal terminal;
    private final boolean asks;

    @Spec
    private @Nullable CommandSpec spec;

    @Option(names = "--calls", paramLabel = "N", description = "Backend calls per request.")
    private String calls = "";

    @Option(names = "--rate", paramLabel = "R", description = "Requests per second.")
    private String rate = "";

    @Option(
            names = "--payload",
            paramLabel = "BYTES",
            description = "Carried by each call and given back (default: 0).")
    private String payload = "0";

    @Option(
            names = "--may-lose",
            paramLabel = "yes|no",
            description = "May a call be lost with a process, because the caller tries again (default: yes)?")
    private String mayLose = "yes";

    @Option(
            names = "--outlive-restart",
            paramLabel = "yes|no",
            description = "Must a request outlive a restart of the broker (default: no)?")
    private String outliveRestart = "no";

    @Option(
            names = "--broker",
            paramLabel = "NAME",
            description = "Brokers that run already, with commas (default: none).")
    private String broker = "none";

    @Option(
            names = "--distance",
            paramLabel = "TIME",
            description = "Round-trip time between the processes, such as 1ms (default: 0ms).")
    private String distance = "0ms";

    @Option(names = "--json", description = "For scripts: the same as a JSON object.")
    private boolean json;

    @Parameters(arity = "0..1", paramLabel = "RUN", description = "What was measured.")
    private @Nullable String run;

    /** @param environment {@code CHATTERBOX_ASKS} is 1 if a person can be asked: input and output are a terminal */
    Advise(Repository repository, Terminal terminal, Map<String, String> environment) {
        this.repository = repository;
        this.terminal = terminal;
        this.asks = "1".equals(environment.get("CHATTERBOX_ASKS"));
    }

    @Override
    public Integer call() throws IOException {
        Rows rows = repository.rows();
        if (asks
                && Objects.requireNonNull(spec)
                        .commandLine()
                        .getParseResult()
                        .matchedOptions()
                        .isEmpty()) {
            ask(rows);
        } else if (calls.isEmpty() || rate.isEmpty()) {
            throw new UsageException(
                    "advise needs --calls N and --rate R; it also takes --payload BYTES, --may-lose yes|no, --outlive-restart yes|no, --broker NAME, --distance TIME and --json.");
        }
        AdviceText text = answer(rows, question(rows));
        if (json) {
            terminal.line(text.json());
        } else {
            text.lines().forEach(terminal::line);
        }
        return text.answered() ? ExitCode.OK : ExitCode.WRONG_USAGE;
    }

    /** From the user's own results if they can answer, else from the headline's. */
    private AdviceText answer(Rows rows, Question question) {
        Runs runs = new Runs(repository.results());
        if (run != null) {
            return AdviceText.of(runs.find(run), run, rows, question, terminal);
        }
        String why;
        try {
            Path own = runs.find("latest");
            AdviceText text = AdviceText.of(own, "your latest run, " + own.getFileName(), rows, question, terminal);
            if (text.answered()) {
                return text;
            }
            why = "your latest run, %s, has no figure for this".formatted(own.getFileName());
        } catch (ResultsException e) {
            why = "no run of your own can be used";
        }
        return AdviceText.of(
                repository.root().resolve(HEADLINE), HEADLINE + ", because " + why, rows, question, terminal);
    }

    private Question question(Rows rows) {
        Workload workload = workload(calls, rate, payload, distance);
        return new Question(
                workload, yes("--may-lose", mayLose), yes("--outlive-restart", outliveRestart), brokers(rows, broker));
    }

    private static Workload workload(String calls, String rate, String payload, String distance) {
        Workload workload = Workload.parse(
                "unary calls=%s rate=%s payload=%s distance=%s".formatted(calls, rate, payload, distance));
        if (!(workload.load() instanceof Load.Rate)) {
            throw new UsageException("rate must be requests per second, but it is '%s'.".formatted(rate));
        }
        return workload;
    }

    private static boolean yes(String what, String text) {
        if (!text.equals("yes") && !text.equals("no")) {
            throw new UsageException("%s must be yes or no, but it is '%s'.".formatted(what, text));
        }
        return text.equals("yes");
    }

    private static Set<String> brokers(Rows rows, String text) {
        Set<String> known = known(rows);
        Set<String> named = text.equals("none")
                ? Set.of()
                : Stream.of(text.split(",", -1)).map(String::strip).collect(Collectors.toCollection(TreeSet::new));
        if (!known.containsAll(named)) {
            throw new UsageException(
                    "There is no broker '%s'; there are %s, or none.".formatted(text, String.join(", ", known)));
        }
        return named;
    }

    private static Set<String> known(Rows rows) {
        return rows.all().stream()
                .flatMap(row -> row.broker().stream())
                .map(Row.Broker::name)
                .collect(Collectors.toCollection(TreeSet::new));
    }

    private void ask(Rows rows) throws IOException {
        BufferedReader in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        calls = answer(in, "Backend calls per request", "", text -> workload(text, "1", "0", "0ms"));
        rate = answer(in, "Requests per second", "", text -> workload("1", text, "0", "0ms"));
        payload = answer(in, "Bytes of payload in each call", payload, text -> workload("1", "1", text, "0ms"));
        mayLose = answer(
                in,
                "May a call be lost with a process, because the caller tries again (yes, no)",
                mayLose,
                text -> yes("This", text));
        outliveRestart = answer(
                in,
                "Must a request outlive a restart of the broker (yes, no)",
                outliveRestart,
                text -> yes("This", text));
        broker = answer(
                in,
                "Which brokers run already (%s, none)".formatted(String.join(", ", known(rows))),
                broker,
                text -> brokers(rows, text));
        distance = answer(in, "Round-trip time between the processes", distance, text -> workload("1", "1", "0", text));
        terminal.line("");
    }

    /** Asks until the answer is right; an empty answer means {@code otherwise}. */
    private String answer(BufferedReader in, String question, String otherwise, Consumer<String> check)
            throws IOException {
        while (true) {
            terminal.out().print(question + (otherwise.isEmpty() ? ": " : " [%s]: ".formatted(otherwise)));
            terminal.out().flush();
            String line = in.readLine();
            if (line == null) {
                throw new UsageException("The questions were not answered to the end.");
            }
            String text = line.isBlank() ? otherwise : line.strip();
            try {
                check.accept(text);
                return text;
            } catch (UsageException | WorkloadException e) {
                terminal.error(String.valueOf(e.getMessage()));
            }
        }
    }
}

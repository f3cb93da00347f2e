package dev.chatterbox.cli;

import dev.chatterbox.report.PredictionText;
import dev.chatterbox.report.Runs;
import dev.chatterbox.stack.UsageException;
import dev.chatterbox.transport.Exchange;
import dev.chatterbox.workloads.ExchangeShape;
import dev.chatterbox.workloads.Load;
import dev.chatterbox.workloads.Workload;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Says what a service would cost under a load that was not measured. The exit code is 2 if it can say nothing. */
@Command(
        name = "predict",
        description = "What your service would cost: processors and latency under a load, from what was measured.",
        footer = {
            "",
            "A RUN is named as for diff; without one, latest. It needs the open model at three rates",
            "or more, as the preset model has it:",
            "",
            "  ./chatterbox compare --preset model",
            "  ./chatterbox predict --calls 40 --rate 500 --payload 1024"
        })
final class Predict implements Callable<Integer> {

    private final Runs runs;
    private final Terminal terminal;

    @Option(names = "--calls", paramLabel = "N", required = true, description = "Backend calls per request.")
    private int calls;

    @Option(names = "--rate", paramLabel = "R", required = true, description = "Requests per second.")
    private double rate;

    @Option(
            names = "--payload",
            paramLabel = "BYTES",
            description = "Carried by each call and given back (default: 0).")
    private int payload;

    @Option(
            names = "--distance",
            paramLabel = "TIME",
            description = "Round-trip time between the processes, such as 1ms (default: 0ms).")
    private String distance = "0ms";

    @Option(
            names = "--exchange",
            paramLabel = "NAME",
            description = "How calls travel: unary, batch, stream (default: unary).")
    private String exchange = Exchange.UNARY.text();

    @Option(names = "--size", paramLabel = "N", description = "Calls in a message of a batch.")
    private @Nullable Integer size;

    @Parameters(arity = "0..*", paramLabel = "RUN", description = "What was measured.")
    private List<String> names = List.of();

    Predict(Runs runs, Terminal terminal) {
        this.runs = runs;
        this.terminal = terminal;
    }

    @Override
    public Integer call() {
        Workload workload = workload();
        List<Path> found = (names.isEmpty() ? List.of("latest") : names)
                .stream().map(runs::find).toList();
        PredictionText text = PredictionText.of(found, workload, terminal);
        text.lines().forEach(terminal::line);
        return text.answered() ? ExitCode.OK : ExitCode.WRONG_USAGE;
    }

    private Workload workload() {
        Exchange by = Workload.exchange(exchange);
        if (by == Exchange.QUEUE) {
            throw new UsageException("A queue cannot be predicted: it is measured in runs, and never at a rate.");
        }
        if ((by == Exchange.BATCH) != (size != null)) {
            throw new UsageException(
                    "--size, the number of calls in a message, goes with --exchange batch: name both or neither.");
        }
        return new Workload(
                ExchangeShape.of(by, size == null ? 1 : size),
                calls,
                payload,
                Workload.distanceMillis(distance),
                new Load.Rate(rate));
    }
}

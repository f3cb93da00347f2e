package dev.chatterbox.cli;

import dev.chatterbox.comparison.Injection;
import dev.chatterbox.comparison.Preset;
import dev.chatterbox.comparison.remote.Deployment;
import dev.chatterbox.comparison.remote.DeploymentException;
import dev.chatterbox.comparison.remote.PrometheusServer;
import dev.chatterbox.comparison.remote.Remote;
import dev.chatterbox.rows.Rows;
import dev.chatterbox.stack.Selection;
import dev.chatterbox.stack.UsageException;
import dev.chatterbox.transport.Exchange;
import dev.chatterbox.workloads.Load;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** A running system that is compared although this program did not start it. */
final class TargetOptions {

    /** The values of the header {@code Authorization}; they stand in no command line and in no output. */
    private static final String TARGET_AUTHORIZATION = "CHATTERBOX_TARGET_AUTHORIZATION";

    private static final String PROMETHEUS_AUTHORIZATION = "CHATTERBOX_PROMETHEUS_AUTHORIZATION";

    /** What injectors on other machines must know; their variable {@code CHATTERBOX_SLICES} ends with it. */
    private static final String COORDINATE_TOKEN = "CHATTERBOX_COORDINATE_TOKEN";

    private static final int MOST_INJECTORS = 64;
    private static final Pattern ADDRESS = Pattern.compile("(?:([\\w.-]+|\\[[0-9a-fA-F:]+]):)?([0-9]{1,5})");

    @Option(
            names = "--target",
            paramLabel = "URL",
            description = "Compare the rows of an aggregator that runs already, such as in a cluster.")
    private @Nullable String target;

    @Option(
            names = "--prometheus",
            paramLabel = "URL",
            description = "Where the CPU time of the target's processes is known.")
    private @Nullable String prometheus;

    @Option(
            names = "--match",
            paramLabel = "LABEL=VALUE",
            description = "A label of the target's processes in Prometheus, such as namespace=demo.")
    private Map<String, String> labels = Map.of();

    @Option(
            names = "--injectors",
            paramLabel = "N",
            description = "How many load generators share the load on the target (default: 1).")
    private int injectors = 1;

    @Option(
            names = "--coordinate",
            paramLabel = "[HOST:]PORT",
            description = "Waits here for injectors on other machines, and starts none (default host: loopback).")
    private @Nullable String coordinate;

    boolean isNamed() {
        if (target == null && (prometheus != null || !labels.isEmpty() || injectors != 1 || coordinate != null)) {
            throw new UsageException("--prometheus, --match, --injectors and --coordinate go with --target.");
        }
        return target != null;
    }

    Injection injection(Map<String, String> environment) {
        if (injectors < 1 || injectors > MOST_INJECTORS) {
            throw new UsageException("--injectors must be 1 to %d; it is %d.".formatted(MOST_INJECTORS, injectors));
        }
        if (coordinate == null) {
            return new Injection(injectors, Optional.empty(), "");
        }
        Matcher address = ADDRESS.matcher(coordinate);
        String token = environment.getOrDefault(COORDINATE_TOKEN, "");
        if (!address.matches() || Integer.parseInt(address.group(2)) > 65_535) {
            throw new UsageException(
                    "--coordinate must be an address of this machine, such as 127.0.0.1:7570; it is '%s'."
                            .formatted(coordinate));
        }
        if (!token.matches("[\\w.-]{8,}")) {
            throw new UsageException(
                    "--coordinate needs %s in the environment: 8 or more letters, digits, '.', '_' and '-'."
                            .formatted(COORDINATE_TOKEN));
        }
        return new Injection(
                injectors,
                Optional.of(new InetSocketAddress(
                        Objects.requireNonNullElse(address.group(1), "127.0.0.1"), Integer.parseInt(address.group(2)))),
                token);
    }

    Deployment find(List<String> names, Rows rows, Map<String, String> environment) {
        Remote aggregator = remote("--target", Objects.requireNonNull(target), environment.get(TARGET_AUTHORIZATION));
        if (!aggregator.address().getPath().isEmpty()) {
            throw new UsageException(
                    "--target is the address of an aggregator without a path; it is '%s'.".formatted(target));
        }
        labels.keySet().stream()
                .filter(label -> !label.matches("[a-zA-Z_][a-zA-Z0-9_]*"))
                .findFirst()
                .ifPresent(label -> {
                    throw new UsageException("--match: '%s' is no label of Prometheus.".formatted(label));
                });
        Optional<PrometheusServer> server = Optional.ofNullable(prometheus)
                .map(url -> remote("--prometheus", url, environment.get(PROMETHEUS_AUTHORIZATION)))
                .map(remote -> new PrometheusServer(remote, labels));
        String version = Chatterbox.class.getPackage().getImplementationVersion();
        try {
            return Deployment.find(
                    aggregator,
                    server,
                    names.isEmpty() || names.contains(Rows.ALL)
                            ? List.of()
                            : Selection.of(rows, names).names(),
                    names.contains(Rows.EACH),
                    rows,
                    version == null ? "" : version);
        } catch (DeploymentException e) {
            throw new UsageException(String.valueOf(e.getMessage()));
        }
    }

    /** @throws UsageException the preset cannot be measured on a system that somebody else has started */
    static void require(Preset chosen) {
        if (chosen.longestDistanceMillis() > 0) {
            throw new UsageException("--target does not go with a distance: the network there stays as it is.");
        }
        chosen.workloads().stream()
                .filter(workload -> !(workload.load() instanceof Load.Users || workload.load() instanceof Load.Rate))
                .findFirst()
                .ifPresent(workload -> {
                    throw new UsageException(
                            "The preset %s has '%s': the capacity of a target is not known. Name a --rate."
                                    .formatted(chosen.name(), workload));
                });
        if (chosen.workloads().stream().anyMatch(workload -> workload.exchange() == Exchange.QUEUE)) {
            throw new UsageException(
                    "--target does not go with the exchange queue: its messages do not pass the aggregator.");
        }
    }

    private static Remote remote(String option, String url, @Nullable String authorization) {
        try {
            return Remote.of(url, Optional.ofNullable(authorization));
        } catch (IllegalArgumentException e) {
            throw new UsageException("%s: %s.".formatted(option, e.getMessage()));
        }
    }
}

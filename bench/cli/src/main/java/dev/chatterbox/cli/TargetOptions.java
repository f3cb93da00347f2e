package dev.chatterbox.cli;

import dev.chatterbox.comparison.remote.Deployment;
import dev.chatterbox.comparison.remote.DeploymentException;
import dev.chatterbox.comparison.remote.PrometheusServer;
import dev.chatterbox.comparison.remote.Remote;
import dev.chatterbox.rows.Rows;
import dev.chatterbox.stack.UsageException;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** A running system that is compared although this program did not start it. */
final class TargetOptions {

    /** The values of the header {@code Authorization}; they stand in no command line and in no output. */
    private static final String TARGET_AUTHORIZATION = "CHATTERBOX_TARGET_AUTHORIZATION";

    private static final String PROMETHEUS_AUTHORIZATION = "CHATTERBOX_PROMETHEUS_AUTHORIZATION";

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

    boolean isNamed() {
        if (target == null && (prometheus != null || !labels.isEmpty())) {
            throw new UsageException("--prometheus and --match go with --target.");
        }
        return target != null;
    }

    Deployment find(List<String> names, Rows rows, Map<String, String> environment) {
        Remote aggregator = remote("--target", Objects.requireNonNull(target), environment.get(TARGET_AUTHORIZATION));
        if (!aggregator.address().getPath().isEmpty()) {
            throw new UsageException(
                    "--target is the address of an aggregator without a path; it is '%s'.".formatted(target));
        }
        Optional<PrometheusServer> server = Optional.ofNullable(prometheus)
                .map(url -> remote("--prometheus", url, environment.get(PROMETHEUS_AUTHORIZATION)))
                .map(remote -> new PrometheusServer(remote, labels));
        String version = Chatterbox.class.getPackage().getImplementationVersion();
        try {
            return Deployment.find(aggregator, server, names, rows, version == null ? "" : version);
        } catch (DeploymentException e) {
            throw new UsageException(e.getMessage());
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

package dev.chatterbox.cli;

import dev.chatterbox.comparison.Injection;
import dev.chatterbox.comparison.Preset;
import dev.chatterbox.comparison.remote.Deployment;
import dev.chatterbox.comparison.remote.PrometheusServer;
import dev.chatterbox.comparison.remote.Remote;
import dev.chatterbox.stack.Selection;
import dev.chatterbox.stack.UsageException;
import dev.chatterbox.transport.CallMode;
import dev.chatterbox.variants.Variants;
import dev.chatterbox.workloads.Load;
import dev.chatterbox.workloads.Workload;
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
    private static final Pattern ADDRESS = Pattern.compile("(?:([\\w.-]+|\\[[0-9a-fA-F:]+]):)?([1-9][0-9]{0,4})");

    @Option(
            names = "--target",
            paramLabel = "URL",
            description = "Compare variants of an aggregator that already runs at this address.")
    private @Nullable String target;

    @Option(names = "--prometheus", paramLabel = "URL", description = "Needed: the Prometheus that reads the target.")
    private @Nullable String prometheus;

    @Option(
            names = "--match",
            paramLabel = "LABEL=VALUE",
            description = "Read only metrics with this label, such as namespace=demo.")
    private Map<String, String> labels = Map.of();

    @Option(names = "--injectors", paramLabel = "N", description = "How many generators share the load (default: 1).")
    private int injectors = 1;

    @Option(
            names = "--coordinate",
            paramLabel = "[HOST:]PORT",
            description = "Wait here for load generators on other machines, and start none (default host: loopback).")
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
            throw new UsageException("--coordinate must be like 127.0.0.1:7570; it is '%s'.".formatted(coordinate));
        }
        if (!token.matches("[\\w.-]{8,}")) {
            throw new UsageException(
                    "--coordinate needs %s in the environment: 8 or more letters, digits, '.', '_' and '-'."
                            .formatted(COORDINATE_TOKEN));
        }
        String host = Objects.requireNonNullElse(address.group(1), "127.0.0.1");
        InetSocketAddress here = new InetSocketAddress(host, Integer.parseInt(address.group(2)));
        return new Injection(injectors, Optional.of(here), token);
    }

    /** @throws UsageException there is no target at these addresses; the message is a sentence or two */
    Deployment find(List<String> names, Variants variants, Map<String, String> environment) {
        if (prometheus == null) {
            throw new UsageException("--target needs --prometheus, a Prometheus that reads the /actuator/prometheus of "
                    + "aggregator and responders, and the CPU time of brokers from process-exporter or cAdvisor.");
        }
        List<String> chosen = names.isEmpty() || names.contains(Variants.ALL)
                ? List.of()
                : Selection.of(variants, names).names();
        String version = Chatterbox.class.getPackage().getImplementationVersion();
        try {
            Remote aggregator = Remote.of(String.valueOf(target), environment.get(TARGET_AUTHORIZATION));
            if (!aggregator.address().getPath().isEmpty()) {
                throw new IllegalArgumentException("--target has no path, but it is '%s'".formatted(target));
            }
            PrometheusServer server =
                    new PrometheusServer(Remote.of(prometheus, environment.get(PROMETHEUS_AUTHORIZATION)), labels);
            boolean onlyIfUp = names.contains(Variants.EACH);
            return Deployment.find(aggregator, server, chosen, onlyIfUp, variants, version == null ? "" : version);
        } catch (IllegalArgumentException e) {
            throw new UsageException(e.getMessage() + ".");
        }
    }

    /** @throws UsageException the preset cannot be measured on a system that somebody else has started */
    static void require(Preset chosen) {
        if (chosen.longestDistanceMillis() > 0) {
            throw new UsageException("--target does not go with a distance: the network there stays as it is.");
        }
        for (Workload workload : chosen.workloads()) {
            if (!(workload.load() instanceof Load.Users || workload.load() instanceof Load.Rate)) {
                throw new UsageException("The preset %s has '%s': the capacity of a target is not known. Name a --rate."
                        .formatted(chosen.name(), workload));
            }
            if (workload.mode() == CallMode.QUEUE) {
                throw new UsageException(
                        "--target does not go with the call mode queue: its messages do not pass the aggregator.");
            }
        }
    }
}

package dev.chatterbox.stack;

import dev.chatterbox.network.NetworkPlan;
import dev.chatterbox.processes.Io;
import dev.chatterbox.variants.Variant;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.security.SecureRandom;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.json.JsonMapper;

/**
 * What a stack was started as. It is kept as JSON for later commands.
 *
 * @param variants names of the variants that were started
 * @param disabled variants that were chosen but could not be started, with the reason
 * @param environment the variables by which clients find the brokers and responders
 * @param faultsToken the token for the responders' {@code /faults}; only the owner of the JSON file can read it
 * @param controlToken the token for the control service; empty if the stack has no such service
 * @param network the network between the stack's processes
 * @param replicas how many processes a service has, by its name; one if it is not here
 * @param traces the share of the requests that the aggregator traces
 */
public record StackState(
        List<String> variants,
        Map<String, String> disabled,
        Map<String, String> environment,
        String faultsToken,
        String controlToken,
        NetworkPlan network,
        Map<String, Integer> replicas,
        double traces) {

    /** A stack that an older build started lacks numbers that are new. */
    private static final JsonMapper JSON = JsonMapper.builder()
            .disable(DeserializationFeature.FAIL_ON_NULL_FOR_PRIMITIVES)
            .build();

    /** The state of a stack of which nothing is known. */
    static final StackState NONE = new StackState(List.of(), Map.of(), Map.of(), "", "", NetworkPlan.NONE, Map.of(), 0);

    /** The state of a stack that is about to be started. */
    static StackState of(StackPlan plan) {
        return new StackState(
                plan.variants().stream().map(Variant::name).toList(),
                plan.disabled(),
                plan.clients(),
                token(),
                plan.hasControl() ? token() : "",
                plan.network(),
                plan.selection().replicas(),
                plan.selection().traces());
    }

    private static String token() {
        byte[] bytes = new byte[16];
        new SecureRandom().nextBytes(bytes);
        return HexFormat.of().formatHex(bytes);
    }

    StackState withDistance(int millis) {
        return new StackState(
                variants,
                disabled,
                environment,
                faultsToken,
                controlToken,
                network.withDistance(millis),
                replicas,
                traces);
    }

    static StackState read(Path file) {
        return Files.exists(file) ? JSON.readValue(Io.unchecked(() -> Files.readString(file)), StackState.class) : NONE;
    }

    void write(Path file) {
        // The file is written elsewhere and then renamed, because others may read it at any time.
        Path unfinished = file.resolveSibling(file.getFileName() + ".new");
        Io.unchecked(() -> {
            Files.deleteIfExists(unfinished);
            Io.writePrivate(
                    unfinished,
                    JsonMapper.shared().writerWithDefaultPrettyPrinter().writeValueAsString(this));
            return Files.move(unfinished, file, StandardCopyOption.ATOMIC_MOVE);
        });
    }
}

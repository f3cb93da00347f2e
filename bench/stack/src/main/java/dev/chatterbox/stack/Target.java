package dev.chatterbox.stack;

import dev.chatterbox.network.Toxiproxy;
import dev.chatterbox.processes.Loopback;
import dev.chatterbox.variants.Variant;
import dev.chatterbox.variants.VariantException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * The running system that is compared.
 *
 * @param variants the variants that can be compared
 * @param processes all processes of the system, also those that this comparison does not use
 * @param network the network between them, if there is one
 * @param versions the versions that brokers say, by the name of the process
 */
public record Target(
        Service aggregator,
        List<VariantTarget> variants,
        List<Member> processes,
        Optional<Toxiproxy> network,
        Map<String, String> versions) {

    /** Sets the distance of the network. Without a network there is no other distance than 0, and nothing happens. */
    public void setDistance(int millis) {
        if (network.isPresent() && network.get().distanceMillis() != millis) {
            network.get().setDistance(millis);
        }
    }

    /**
     * A service, which may have several processes.
     *
     * @param name the name that they share; the first one has it
     * @param processes at least one
     */
    public record Service(String name, List<Member> processes) {

        /** A service with one process. */
        public static Service of(Member process) {
            return new Service(process.name(), List.of(process));
        }

        public Member first() {
            return processes.get(0);
        }

        /** The addresses of its HTTP on this machine, with commas between them. */
        public String addresses() {
            return processes.stream()
                    .map(process -> "http://" + Loopback.authority(process.port()))
                    .collect(Collectors.joining(","));
        }
    }

    /**
     * A variant and the processes that serve it.
     *
     * @param responder empty if requester and responder are one process
     * @param metrics the path of the responder's figures, on its port
     * @param brokers the broker between them, if there is one, or the nodes of a cluster
     * @param leaders who leads in the cluster, for people; empty without a cluster, or if it does not say it
     * @param queue the programs of its one-way messages; empty if it has none
     * @param rawClient the variant's bare client; empty if it has none
     */
    public record VariantTarget(
            Variant variant,
            Optional<Service> responder,
            Optional<String> metrics,
            List<Member> brokers,
            Optional<String> leaders,
            Optional<Queue> queue,
            Optional<Program> rawClient) {

        /** Of the variant. */
        public String name() {
            return variant.name();
        }
    }

    /** The programs of a variant's one-way messages. */
    public record Queue(Program produce, Program consume) {}

    /**
     * A program of a variant that carries out slices.
     *
     * @param command the whole command line
     * @param environment environment variables that it gets besides those of this process
     */
    public record Program(List<String> command, Map<String, String> environment) {}

    /** @throws VariantException the system has no such variant */
    public VariantTarget variant(String name) {
        return variants.stream()
                .filter(target -> target.name().equals(name))
                .findFirst()
                .orElseThrow(() -> new VariantException("The running system has no variant '%s'.".formatted(name)));
    }
}

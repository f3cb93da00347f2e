package dev.chatterbox.comparison;

import dev.chatterbox.comparison.target.Target;
import dev.chatterbox.results.Role;
import dev.chatterbox.transport.Exchange;
import dev.chatterbox.workloads.Workload;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * What a slice is of: a row of a stack, or its bare client, under a workload.
 *
 * @param side names the stack where two are compared
 * @param bare whether it is the bare client of the row's library
 */
record Subject(Optional<String> side, Target target, String row, boolean bare, Workload workload) {

    Target.RowTarget rowTarget() {
        return target.row(row);
    }

    /** The processes that serve it, by role, without generator and bare client, which are nobody's but the run's. */
    Map<String, Long> pids() {
        Map<String, Long> pids = new LinkedHashMap<>();
        if (!bare) {
            pids.put(Role.AGGREGATOR, target.aggregator().pid());
        }
        rowTarget().responder().ifPresent(responder -> pids.put(Role.RESPONDER, responder.pid()));
        rowTarget().broker().ifPresent(broker -> pids.put(Role.BROKER, broker.pid()));
        target.network()
                .ifPresent(network -> pids.put(Role.NETWORK, network.process().pid()));
        return pids;
    }

    /** As {@link Run#figures} names them. */
    Stream<String> processNames() {
        return Stream.of(
                        bare ? Optional.<Target.Process>empty() : Optional.of(target.aggregator()),
                        rowTarget().responder(),
                        rowTarget().broker())
                .flatMap(Optional::stream)
                .map(process -> sided(side.orElse(""), process.name()));
    }

    boolean has(Exchange exchange) {
        return rowTarget().row().exchanges().contains(exchange);
    }

    /** A name of something that each of two sides has. */
    static String sided(String side, String name) {
        return side.isEmpty() ? name : side + ":" + name;
    }

    /** The row, whatever its workload. */
    String rowKey() {
        return sided(side.orElse(""), row);
    }

    /** The same for both sides, which have the same work. */
    String work() {
        return "%s%s %s".formatted(row, bare ? "-bare" : "", workload);
    }

    Subject under(Workload other) {
        return new Subject(side, target, row, bare, other);
    }

    /** As progress and slices name it, without spaces. */
    String id() {
        return "%s%s/%s"
                .formatted(rowKey(), bare ? "-bare" : "", workload.toString().replace(' ', ','));
    }

    @Override
    public String toString() {
        return "%s%s%s  %s"
                .formatted(side.map(name -> name + " ").orElse(""), row, bare ? ", bare client" : "", workload);
    }
}

package dev.chatterbox.comparison;

import dev.chatterbox.results.Role;
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

    Stream<String> processNames() {
        return Stream.of(
                        bare ? Optional.<Target.Process>empty() : Optional.of(target.aggregator()),
                        rowTarget().responder(),
                        rowTarget().broker())
                .flatMap(Optional::stream)
                .map(Target.Process::name);
    }

    Subject under(Workload other) {
        return new Subject(side, target, row, bare, other);
    }

    /** As progress and slices name it, without spaces. */
    String id() {
        return "%s%s%s/%s"
                .formatted(
                        side.map(name -> name + ":").orElse(""),
                        row,
                        bare ? "-bare" : "",
                        workload.toString().replace(' ', ','));
    }

    @Override
    public String toString() {
        return "%s%s%s  %s"
                .formatted(side.map(name -> name + " ").orElse(""), row, bare ? ", bare client" : "", workload);
    }
}

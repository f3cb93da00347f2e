package dev.chatterbox.comparison;

import dev.chatterbox.results.Role;
import dev.chatterbox.stack.Member;
import dev.chatterbox.stack.Target;
import dev.chatterbox.transport.Exchange;
import dev.chatterbox.workloads.Workload;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.stream.Stream;

/**
 * What a slice measures: a row of a stack, or its bare client, under a workload.
 *
 * @param side the name of the stack if two stacks are compared; empty otherwise
 * @param bare whether it is the bare client of the row's library
 */
record Subject(String side, Target target, String row, boolean bare, Workload workload) {

    Target.RowTarget rowTarget() {
        return target.row(row);
    }

    private Stream<Member> responders() {
        return rowTarget().responder().stream().flatMap(responder -> responder.processes().stream());
    }

    /** The roles of the processes that serve it, by pid; the processes that carry out slices belong to the run. */
    Map<Long, String> roles() {
        Map<Long, String> roles = new LinkedHashMap<>();
        if (!bare && !isQueue()) {
            target.aggregator().processes().forEach(process -> roles.put(process.pid(), Role.AGGREGATOR));
        }
        if (!isQueue()) {
            responders().forEach(process -> roles.put(process.pid(), Role.RESPONDER));
        }
        rowTarget().brokers().forEach(broker -> roles.put(broker.pid(), Role.BROKER));
        target.network().ifPresent(network -> roles.put(network.pid(), Role.NETWORK));
        return roles;
    }

    /** The names of its processes, as in {@link Run#processes}. */
    Stream<String> processNames() {
        return Stream.of(
                        bare ? Stream.<Member>empty() : target.aggregator().processes().stream(),
                        responders(),
                        rowTarget().brokers().stream())
                .flatMap(processes -> processes)
                .map(process -> sided(side, process.name()));
    }

    boolean isQueue() {
        return workload.exchange() == Exchange.QUEUE;
    }

    boolean has(Exchange exchange) {
        return rowTarget().row().exchanges().contains(exchange)
                && (exchange != Exchange.QUEUE || rowTarget().queue().isPresent());
    }

    /** A name of something that each of two sides has. */
    static String sided(String side, String name) {
        return side.isEmpty() ? name : side + ":" + name;
    }

    /** The row and its side, whatever the workload. */
    String rowKey() {
        return sided(side, row);
    }

    /** The name of its work, which is the same for both sides. */
    String work() {
        return "%s%s %s".formatted(row, bare ? "-bare" : "", workload);
    }

    Subject under(Workload other) {
        return new Subject(side, target, row, bare, other);
    }

    /** Its name in the ids of slices, without spaces. */
    String id() {
        return "%s%s/%s"
                .formatted(rowKey(), bare ? "-bare" : "", workload.toString().replace(' ', ','));
    }

    @Override
    public String toString() {
        return "%s%s%s  %s".formatted(side.isEmpty() ? "" : side + " ", row, bare ? ", bare client" : "", workload);
    }
}

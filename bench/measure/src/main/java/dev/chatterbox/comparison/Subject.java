package dev.chatterbox.comparison;

import dev.chatterbox.results.Role;
import dev.chatterbox.stack.Target;
import dev.chatterbox.transport.CallMode;
import dev.chatterbox.workloads.Slice;
import dev.chatterbox.workloads.Workload;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;

/**
 * What a slice measures: a variant of a stack, or its bare client, under a workload.
 *
 * @param side the name of the stack if two stacks are compared; empty otherwise
 * @param bare whether it is the bare client of the variant's library
 */
record Subject(String side, Target target, String variant, boolean bare, Workload workload) {

    Target.VariantTarget variantTarget() {
        return target.variant(variant);
    }

    /** The roles of the processes that serve it, by pid; the processes that carry out slices belong to the run. */
    Map<Long, String> roles() {
        Map<Long, String> roles = new LinkedHashMap<>();
        if (!isQueue()) {
            if (!bare) {
                target.aggregator().processes().forEach(process -> roles.put(process.pid(), Role.AGGREGATOR));
            }
            variantTarget()
                    .responder()
                    .ifPresent(responder ->
                            responder.processes().forEach(process -> roles.put(process.pid(), Role.RESPONDER)));
        }
        variantTarget().brokers().forEach(broker -> roles.put(broker.pid(), Role.BROKER));
        target.network().ifPresent(network -> roles.put(network.pid(), Role.NETWORK));
        return roles;
    }

    /** The names of its processes, as in {@link Run#processes}. */
    Stream<String> processNames() {
        Set<Long> pids = roles().keySet();
        return target.processes().stream()
                .filter(process -> pids.contains(process.pid()))
                .map(process -> sided(side, process.name()));
    }

    boolean isQueue() {
        return workload.mode() == CallMode.QUEUE;
    }

    boolean has(CallMode mode) {
        return variantTarget().variant().modes().contains(mode)
                && (mode != CallMode.QUEUE || variantTarget().queue().isPresent());
    }

    /** A name of something that each of two sides has. */
    static String sided(String side, String name) {
        return side.isEmpty() ? name : side + ":" + name;
    }

    /** The variant and its side, whatever the workload. */
    String variantKey() {
        return sided(side, variant);
    }

    /** The name of its work, which is the same for both sides. */
    String work() {
        return "%s%s %s".formatted(variant, bare ? "-bare" : "", workload);
    }

    Subject under(Workload other) {
        return new Subject(side, target, variant, bare, other);
    }

    /** Its name in the ids of slices, without spaces. */
    String id() {
        return "%s%s/%s"
                .formatted(
                        variantKey(), bare ? "-bare" : "", workload.toString().replace(' ', ','));
    }

    /**
     * A slice of its work.
     *
     * @param name the beginning of the slice's id
     * @param requests as {@link Slice} has them, like the seconds
     */
    Slice slice(String name, int start, long requests, double seconds, String aggregator) {
        String id = "%s/%d/%s".formatted(name, start, id());
        return new Slice(id, variant, workload, requests, seconds, aggregator);
    }

    @Override
    public String toString() {
        return "%s%s%s  %s".formatted(side.isEmpty() ? "" : side + " ", variant, bare ? ", bare client" : "", workload);
    }
}

package dev.chatterbox.report.prediction;

import dev.chatterbox.results.Environment;
import dev.chatterbox.results.Environment.RowSettings;
import dev.chatterbox.transport.Exchange;
import dev.chatterbox.workloads.Load;
import dev.chatterbox.workloads.Workload;
import java.time.Duration;
import java.time.format.DateTimeParseException;
import java.util.Map;

/**
 * The path of a request over a row, as the run shows it: how many links a call waits for, how much may be in flight on
 * them at once, and the deadline of a call.
 *
 * @param links how many links a call waits for, one after the other: 1 to a responder, 2 if a broker is between, 0
 *     within the aggregator
 * @param request what may be in flight of one request
 * @param all what may be in flight of all requests
 * @param streams likewise of what is sent in streams; a row has fewer open streams than inputs in them
 * @param deadlineSeconds the deadline of a call
 */
public record RowPath(int links, AtOnce request, AtOnce all, AtOnce streams, double deadlineSeconds) {

    private static final Duration DEFAULT_DEADLINE = Duration.ofSeconds(5);

    /** Bounds on what is in flight. A bound that the run does not show holds nothing back. */
    public record AtOnce(double messages, double inputs, double bytes) {

        /** How many of a workload's messages may be in flight; at least 1, as a message above the bounds is refused. */
        double messagesOf(Workload workload) {
            double inputsOfEach = Math.min(workload.size(), workload.calls());
            double bytesOfEach = inputsOfEach * workload.payloadBytes();
            double most = Math.min(messages, Math.floor(inputs / inputsOfEach));
            return Math.max(1, bytesOfEach == 0 ? most : Math.min(most, Math.floor(bytes / bytesOfEach)));
        }
    }

    /** @param settings the settings of the run */
    public static RowPath of(Environment.Settings settings, String row) {
        RowSettings own = settings.rows().get(row);
        Map<String, Object> bounds = own == null ? Map.of() : own.settings();
        AtOnce all = new AtOnce(
                bound(bounds, "bounds.in-flight"),
                bound(bounds, "bounds.inputs-in-flight"),
                bound(bounds, "bounds.bytes-in-flight"));
        return new RowPath(
                own == null || own.responder() == null ? 0 : own.broker() == null ? 1 : 2,
                new AtOnce(
                        bound(bounds, "bounds.per-request"),
                        bound(bounds, "bounds.inputs-per-request"),
                        bound(bounds, "bounds.bytes-per-request")),
                all,
                // A client with few connections bounds the number of open streams, and not what is in them.
                new AtOnce(Math.max(all.messages, bound(settings.fanOut(), "maxInFlight")), all.inputs, all.bytes),
                deadline(String.valueOf(settings.fanOut().get("callTimeout"))).toMillis() / 1e3);
    }

    private static double bound(Map<String, Object> settings, String name) {
        return settings.get(name) instanceof Number number ? number.doubleValue() : Integer.MAX_VALUE;
    }

    private static Duration deadline(String text) {
        try {
            return Duration.parse(text);
        } catch (DateTimeParseException e) {
            return DEFAULT_DEADLINE;
        }
    }

    /** How many messages of a workload may be in flight at once, of all its requests. */
    double inFlight(Workload workload) {
        return (workload.exchange() == Exchange.STREAM ? streams : all).messagesOf(workload);
    }

    /** In how many turns a request's messages go, each after the one before; 1 if all may be in flight at once. */
    public long turns(Workload workload) {
        long users = workload.load() instanceof Load.Users closed ? closed.count() : 1;
        return (long) Math.max(
                Math.ceil(workload.messages() / request.messagesOf(workload)),
                Math.ceil(users * workload.messages() / inFlight(workload)));
    }

    /** How long a request waits for the distance alone: in each turn, once over every link. */
    public double seconds(Workload workload) {
        return turns(workload) * callSeconds(workload);
    }

    /** How long a call waits for the distance alone. */
    double callSeconds(Workload workload) {
        return links * workload.distanceMillis() / 1e3;
    }

    /** The numbers of the path, for a program that calculates the same. */
    Map<String, Object> numbers() {
        return Map.of("links", links, "request", request, "all", all, "streams", streams, "deadline", deadlineSeconds);
    }
}

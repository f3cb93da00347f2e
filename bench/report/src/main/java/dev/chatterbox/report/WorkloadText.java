package dev.chatterbox.report;

import static dev.chatterbox.workloads.Dimension.BURN;
import static dev.chatterbox.workloads.Dimension.CONSUMERS;
import static dev.chatterbox.workloads.Dimension.GROUPS;
import static dev.chatterbox.workloads.Dimension.PAYLOAD;
import static dev.chatterbox.workloads.Dimension.PUBLISHERS;
import static dev.chatterbox.workloads.Dimension.SIZE;
import static dev.chatterbox.workloads.Dimension.TOPICS;
import static dev.chatterbox.workloads.Dimension.WAIT;

import dev.chatterbox.results.Numbers;
import dev.chatterbox.transport.CallMode;
import dev.chatterbox.workloads.Dimension;
import dev.chatterbox.workloads.Load;
import dev.chatterbox.workloads.Workload;

/** A workload's text for people. */
final class WorkloadText {

    private WorkloadText() {}

    /** What the cost under a workload is the cost of: "call", or "message" of a queue. */
    static String unit(Workload workload) {
        return workload.mode() == CallMode.QUEUE ? "message" : "call";
    }

    /** "1,000 calls per request, 8 users, in batches of 10 calls per message" */
    static String of(Workload workload) {
        String of = workload.mode() == CallMode.QUEUE ? " per slice, " : " per request, ";
        return Numbers.counted(workload.calls(), unit(workload)) + of + withoutCalls(workload);
    }

    /** "8 users, in batches of 10 calls per message" */
    static String withoutCalls(Workload workload) {
        String by = switch (workload.mode()) {
            case UNARY -> "";
            case BATCH -> "in batches of " + counted(workload, SIZE, "call") + " per message";
            case STREAM -> "as a stream";
            case QUEUE -> "one-way";
        };
        return Numbers.joined(
                ", ",
                workload.mode() == CallMode.QUEUE ? "" : load(workload.load()),
                by,
                counted(workload, PUBLISHERS, "publisher"),
                counted(workload, CONSUMERS, "consumer"),
                workload.get(TOPICS) > 1 ? counted(workload, TOPICS, "topic") : "",
                workload.get(GROUPS) > 1 ? counted(workload, GROUPS, "group") : "",
                workload.payloadBytes() > 0 ? counted(workload, PAYLOAD, "byte") + " of payload" : "",
                work(workload, BURN, "of CPU work per call"),
                work(workload, WAIT, "of waiting per call"),
                workload.distanceMillis() > 0 ? workload.distanceMillis() + " ms of added latency" : "");
    }

    private static String work(Workload workload, Dimension dimension, String what) {
        int micros = workload.get(dimension);
        return micros == 0 ? "" : Numbers.seconds(micros / 1e6) + " " + what;
    }

    private static String counted(Workload workload, Dimension dimension, String noun) {
        int number = workload.get(dimension);
        return number == 0 ? "" : Numbers.counted(number, noun);
    }

    /** "25 users", "63 requests/s", or the text form of a share of a capacity */
    private static String load(Load load) {
        if (load instanceof Load.Users users) {
            return Numbers.counted(users.count(), "user");
        }
        return load instanceof Load.Rate rate ? Numbers.rate(rate.perSecond()) + " requests/s" : load.toString();
    }
}

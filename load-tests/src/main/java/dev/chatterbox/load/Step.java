package dev.chatterbox.load;

import static dev.chatterbox.load.SettingsException.require;

import com.fasterxml.jackson.annotation.JsonInclude;
import dev.chatterbox.transport.Exchange;
import dev.chatterbox.workloads.Load;
import dev.chatterbox.workloads.Workload;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One measurement: a row under a workload.
 *
 * @param id unique in its plan; Gatling's report names what it shows after it
 * @param row the transport that the URL names
 * @param workload closed, or open at a rate: a share of the capacity must be a rate by now
 * @param warmUp in place of the plan's
 * @param measureSeconds the length of the measured window, in place of the plan's
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
record Step(
        String id,
        String row,
        Workload workload,
        @Nullable WarmUpRule warmUp,
        @Nullable Double measureSeconds) {

    static final int MAX_CALLS = 1_000_000;
    static final int MAX_USERS = 10_000;
    static final double MAX_RATE = 100_000;

    Step {
        require(
                row != null && row.matches("[a-z0-9][a-z0-9_-]*"),
                "step %s: transport must be a name of small letters, digits and '-'; it is '%s'",
                id,
                row);
        require(id != null && !id.isBlank(), "steps: each needs an id");
        require(workload != null, "step %s: workload is missing", id);
        require(
                workload.calls() <= MAX_CALLS,
                "step %s: calls must be a whole number from 1 to %d; it is %d",
                id,
                MAX_CALLS,
                workload.calls());
        require(
                workload.distanceMillis() == 0,
                "step %s: the generator can offer no distance; the workload is '%s'",
                id,
                workload);
        Load load = workload.load();
        require(
                !load.isOpen() || load instanceof Load.Rate,
                "step %s: rate must be requests per second, not a share of the capacity; the workload is '%s'",
                id,
                workload);
        require(
                !(load instanceof Load.Users users) || users.count() <= MAX_USERS,
                "step %s: users must be a whole number from 1 to %d; the workload is '%s'",
                id,
                MAX_USERS,
                workload);
        require(
                !(load instanceof Load.Rate rate) || rate.perSecond() <= MAX_RATE,
                "step %s: rate must be above 0 and at most %.0f requests per second; the workload is '%s'",
                id,
                MAX_RATE,
                workload);
        require(
                measureSeconds == null || LoadPlan.isMeasurable(measureSeconds),
                "step %s: measureSeconds must be from 0.1 to 86400; it is %s",
                id,
                measureSeconds);
    }

    String path() {
        List<String> query = new ArrayList<>();
        if (workload.exchange() == Exchange.BATCH) {
            query.add("size=" + workload.size());
        }
        if (workload.payloadBytes() > 0) {
            query.add("payload=" + workload.payloadBytes());
        }
        return "/%s/square/%s/%d".formatted(row, workload.exchange().text(), workload.calls())
                + (query.isEmpty() ? "" : "?" + String.join("&", query));
    }

    /** Requests per second of the open model; null in the closed one. */
    @Nullable
    Double rate() {
        return workload.load() instanceof Load.Rate rate ? rate.perSecond() : null;
    }

    /** Users of the closed model; 0 in the open one. */
    int users() {
        return workload.load() instanceof Load.Users users ? users.count() : 0;
    }
}

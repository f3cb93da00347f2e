package dev.chatterbox.comparison;

import dev.chatterbox.workloads.Load;
import dev.chatterbox.workloads.Workload;
import org.jspecify.annotations.Nullable;

/**
 * A row under a workload, which is measured once in each round.
 *
 * @param workload names the cell: a share of the capacity stays one
 * @param arrivalRate of the open model, requests per second; null in the closed one
 */
record CellPlan(String row, Workload workload, @Nullable Double arrivalRate) {

    /** @param workload of the closed model, or of the open one at a rate that needs no capacity */
    static CellPlan of(String row, Workload workload) {
        return new CellPlan(row, workload, workload.load() instanceof Load.Rate rate ? rate.perSecond() : null);
    }

    /** The workload as the generator can offer it: a share of the capacity is a rate, and it knows no distance. */
    Workload offered() {
        Workload near = workload.withDistance(0);
        return arrivalRate == null ? near : near.under(new Load.Rate(arrivalRate));
    }

    @Override
    public String toString() {
        return row + " " + workload;
    }
}

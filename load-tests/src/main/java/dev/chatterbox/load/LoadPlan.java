package dev.chatterbox.load;

import dev.chatterbox.workloads.Load;
import dev.chatterbox.workloads.Slice;
import dev.chatterbox.workloads.Workload;
import java.util.List;

/**
 * What a standalone simulation does: for each variant in turn a warm-up and a measurement.
 *
 * @param warmUp seconds of the warm-up
 * @param duration seconds of the measurement
 * @param requestTimeout seconds after which a request has failed
 */
record LoadPlan(
        String model,
        String baseUrl,
        List<String> variants,
        Workload workload,
        double warmUp,
        double duration,
        double requestTimeout) {

    private static final int FEWEST_FOR_A_RATE = 100;

    LoadPlan {
        variants.forEach(variant -> new Slice("valid", variant, workload, 0, duration, baseUrl));
    }

    /** How many users there are; in the open model enough for the rate, even if every request times out. */
    int users() {
        if (workload.load() instanceof Load.Rate rate) {
            double atOnce = Math.max(FEWEST_FOR_A_RATE, rate.perSecond() * requestTimeout);
            return (int) Math.ceil(Math.min(Slice.MAX_USERS, atOnce));
        }
        return ((Load.Users) workload.load()).count();
    }
}

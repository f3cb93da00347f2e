package dev.chatterbox.load;

import static io.gatling.javaapi.core.CoreDsl.global;

import com.sun.management.OperatingSystemMXBean;
import dev.chatterbox.workloads.Slice;
import dev.chatterbox.workloads.SliceResult;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;

/** Measures variants one after the other, each after a warm-up. If a request fails, the run has failed. */
abstract class StandaloneSimulation extends LoadSimulation {

    private static final OperatingSystemMXBean PROCESS =
            ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class);

    private final LoadPlan plan;
    private final RunFile file;

    StandaloneSimulation(LoadPlan plan) {
        super(plan.baseUrl(), plan.users(), plan.requestTimeout());
        this.plan = plan;
        file = new RunFile(plan, getClass());
        gatling.assertions(global().failedRequests().count().is(0L));
    }

    @Override
    void serve() {
        file.begin();
        for (String variant : plan.variants()) {
            file.say(variant, "warming up");
            List<SliceResult> warmUp = warmUp(variant);
            file.say(variant, "measuring");
            long cpu = PROCESS.getProcessCpuTime();
            SliceResult result = measure(variant, variant, plan.duration());
            file.take(variant, warmUp, result, (PROCESS.getProcessCpuTime() - cpu) / 1e9);
        }
    }

    /** Warms up in slices of about a second, which show whether the throughput still grows. */
    private List<SliceResult> warmUp(String variant) {
        List<SliceResult> results = new ArrayList<>();
        int slices = (int) Math.ceil(plan.warmUp());
        for (int i = 0; i < slices; i++) {
            results.add(measure(Slice.WARM_UP + "-" + variant, variant, plan.warmUp() / slices));
        }
        return results;
    }

    private SliceResult measure(String id, String variant, double seconds) {
        Slice slice = new Slice(id, variant, plan.workload(), 0, seconds, plan.baseUrl());
        return run(slice).start().join();
    }

    @Override
    public void after() {
        super.after();
        file.write();
    }
}

package dev.chatterbox.metrics;

import io.micrometer.core.instrument.binder.MeterBinder;
import io.micrometer.core.instrument.binder.netty4.NettyEventExecutorMetrics;
import java.nio.file.Path;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.context.annotation.Bean;
import reactor.netty.http.HttpResources;
import reactor.netty.resources.LoopResources;

@AutoConfiguration
class ServiceMetricsAutoConfiguration {

    @Bean
    CpuThrottling cpuThrottling() {
        return new CpuThrottling(Path.of("/sys/fs/cgroup"));
    }

    /** {@code netty.eventexecutor.tasks.pending}: the tasks that wait for each event loop of servers and clients. */
    @Bean
    MeterBinder eventLoops() {
        return new NettyEventExecutorMetrics(HttpResources.get().onServer(LoopResources.DEFAULT_NATIVE));
    }
}

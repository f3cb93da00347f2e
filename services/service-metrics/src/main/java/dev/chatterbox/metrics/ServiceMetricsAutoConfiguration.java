package dev.chatterbox.metrics;

import static java.util.Map.entry;

import io.micrometer.core.instrument.binder.MeterBinder;
import io.micrometer.core.instrument.binder.netty4.NettyEventExecutorMetrics;
import java.nio.file.Path;
import java.util.Map;
import org.springframework.boot.SpringBootVersion;
import org.springframework.boot.actuate.info.InfoContributor;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.context.annotation.Bean;
import reactor.netty.http.HttpResources;
import reactor.netty.http.server.HttpServer;
import reactor.netty.resources.LoopResources;

@AutoConfiguration
class ServiceMetricsAutoConfiguration {

    @Bean
    CpuThrottling cpuThrottling() {
        return new CpuThrottling(Path.of("/sys/fs/cgroup"));
    }

    /** What every service is built on, in {@code /actuator/info}: a comparison notes it. */
    @Bean
    InfoContributor libraries() {
        return info -> info.withDetail(
                "libraries",
                Map.ofEntries(
                        entry("spring-boot", SpringBootVersion.getVersion()),
                        entry(
                                "reactor-netty-http",
                                String.valueOf(HttpServer.class.getPackage().getImplementationVersion())),
                        entry("netty-io", LoopResources.hasNativeSupport() ? "epoll" : "nio")));
    }

    /** {@code netty.eventexecutor.tasks.pending}: the tasks that wait for each event loop of servers and clients. */
    @Bean
    MeterBinder eventLoops() {
        return new NettyEventExecutorMetrics(HttpResources.get().onServer(LoopResources.DEFAULT_NATIVE));
    }
}

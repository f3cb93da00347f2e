package dev.chatterbox.aggregator;

import static org.assertj.core.api.Assertions.assertThat;

import com.rabbitmq.client.impl.ClientVersion;
import io.grpc.netty.NettyChannelBuilder;
import io.nats.client.Nats;
import io.netty.util.Version;
import java.io.IOException;
import java.util.Properties;
import org.apache.activemq.artemis.utils.VersionLoader;
import org.apache.kafka.common.utils.AppInfoParser;
import org.junit.jupiter.api.Test;
import org.springframework.core.io.ClassPathResource;
import org.springframework.core.io.support.PropertiesLoaderUtils;

/** The build writes versions into {@code /actuator/info}; here they are held against those on the class path. */
class BuildInfoTests {

    @Test
    void namesTheVersionsOfTheClientLibrariesThatRun() throws IOException {
        Properties info = PropertiesLoaderUtils.loadProperties(new ClassPathResource("META-INF/build-info.properties"));

        assertThat(info)
                .containsEntry(
                        "build.libraries.netty-transport",
                        Version.identify().get("netty-transport").artifactVersion())
                .containsEntry("build.libraries.jnats", Nats.CLIENT_VERSION)
                .containsEntry("build.libraries.kafka-clients", AppInfoParser.getVersion())
                .containsEntry("build.libraries.amqp-client", ClientVersion.VERSION)
                .containsEntry(
                        "build.libraries.artemis-core-client",
                        VersionLoader.getVersion().getFullVersion())
                .containsEntry(
                        "build.libraries.grpc-netty",
                        NettyChannelBuilder.class.getPackage().getImplementationVersion());
    }
}

package dev.chatterbox.aggregator.fanout;

import java.util.Map;
import org.springframework.boot.actuate.info.Info;
import org.springframework.boot.actuate.info.InfoContributor;
import org.springframework.stereotype.Component;

/** Shows the bounds in {@code /actuator/info}: a comparison notes them. */
@Component
record FanOutInfo(FanOutProperties properties) implements InfoContributor {

    @Override
    public void contribute(Info.Builder builder) {
        builder.withDetail("chatterbox", Map.of("fanOut", properties));
    }
}

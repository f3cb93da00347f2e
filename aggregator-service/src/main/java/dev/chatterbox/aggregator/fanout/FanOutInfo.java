package dev.chatterbox.aggregator.fanout;

import java.util.Map;
import org.springframework.boot.actuate.info.Info;
import org.springframework.boot.actuate.info.InfoContributor;
import org.springframework.stereotype.Component;

/** Shows the bounds in {@code /actuator/info}: a comparison notes them. */
@Component
class FanOutInfo implements InfoContributor {

    private final FanOutProperties properties;

    FanOutInfo(FanOutProperties properties) {
        this.properties = properties;
    }

    @Override
    public void contribute(Info.Builder builder) {
        Map<String, Object> fanOut = Map.of(
                "maxCalls", properties.maxCalls(),
                "callTimeout", properties.callTimeout().toString(),
                "concurrencyPerRequest", properties.concurrencyPerRequest(),
                "maxInFlight", properties.maxInFlight(),
                "inputsPerRequest", properties.inputsPerRequest(),
                "maxInputsInFlight", properties.maxInputsInFlight(),
                "payloadHeapShare", properties.payloadHeapShare(),
                "maxBytesInFlight", properties.maxBytesInFlight(),
                "maxRequests", properties.maxRequests());
        builder.withDetail("chatterbox", Map.of("fanOut", fanOut));
    }
}

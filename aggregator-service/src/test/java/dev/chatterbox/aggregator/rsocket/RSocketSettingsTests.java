package dev.chatterbox.aggregator.rsocket;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.chatterbox.aggregator.TestRows;
import dev.chatterbox.aggregator.client.ClientSettings;
import dev.chatterbox.rows.Row;
import dev.chatterbox.rows.RowException;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.mock.env.MockEnvironment;

class RSocketSettingsTests {

    @Test
    void severalTargetsHaveCommasBetweenThem() {
        assertThat(settings("rsocket", Map.of("client.targets", "one:1,[::1]:2"), RSocketSettings.class)
                        .targets())
                .containsExactly("one:1", "[::1]:2");
        assertThat(settings("rsocket-stock", Map.of("client.targets", "one:1,two:2"), RSocketStockSettings.class)
                        .target())
                .isEqualTo("one:1");
    }

    @ParameterizedTest
    @CsvSource({
        "client.targets,'',must be host:port",
        "client.targets,one,must be host:port",
        "'client.targets','one:1,two',must be host:port",
        "client.keep-alive,9ms,at least 10ms",
        "client.max-lifetime,2s,must be longer than client.keep-alive"
    })
    void whatCannotBeIsRefusedWithItsRange(String key, String value, String range) {
        assertThatThrownBy(() -> settings("rsocket", Map.of(key, value), RSocketSettings.class))
                .isInstanceOf(RowException.class)
                .hasMessageContainingAll("rows/rsocket.properties", key, range);
    }

    @ParameterizedTest
    @ValueSource(strings = {"one", ":1"})
    void whatIsNoTargetIsRefusedForTheStockRowToo(String target) {
        assertThatThrownBy(
                        () -> settings("rsocket-stock", Map.of("client.targets", target), RSocketStockSettings.class))
                .isInstanceOf(RowException.class)
                .hasMessageContainingAll("rows/rsocket-stock.properties", "client.targets", "must be host:port");
    }

    private static <T> T settings(String name, Map<String, String> values, Class<T> type) {
        Row row = TestRows.with(name, values).find(name).orElseThrow();
        return new ClientSettings(row, new MockEnvironment()).as(type);
    }
}

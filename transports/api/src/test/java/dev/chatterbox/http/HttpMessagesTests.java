package dev.chatterbox.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.chatterbox.client.CallException;
import dev.chatterbox.client.SquareRequest;
import dev.chatterbox.client.TestRequests;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class HttpMessagesTests {

    private static final SquareRequest NUMBER = TestRequests.of(3, Duration.ofSeconds(1));
    private static final SquareRequest BATCH = TestRequests.of(true, 3, 2, 0, Duration.ofSeconds(1));

    @ParameterizedTest
    @CsvSource({
        "1, 1",
        "2147483647, 2147483647",
        "2147483648, 0",
        "9999999999, 0",
        "99999999999999999999, 0",
        "0, 0",
        "007, 0",
        "+5, 0",
        "-5, 0",
        "5.0, 0",
        "٥, 0",
        "' 5', 0",
        "'', 0"
    })
    void aNumberHasPlainDigitsAlone(String text, int number) {
        assertThat(HttpMessages.number(text)).isEqualTo(number);
    }

    @Test
    void aReplyThatIsLongerThanAnyRightOneIsRefusedBeforeItsEnd() {
        assertThatCode(() -> HttpMessages.requireBytes(NUMBER, 64)).doesNotThrowAnyException();
        assertThatThrownBy(() -> HttpMessages.requireBytes(NUMBER, 65))
                .isInstanceOf(CallException.class)
                .hasMessage("a reply that is not a JSON number");
        assertThatCode(() -> HttpMessages.requireBytes(BATCH, 4 << 20)).doesNotThrowAnyException();
        assertThatThrownBy(() -> HttpMessages.requireBytes(BATCH, (4 << 20) + 1))
                .isInstanceOf(CallException.class)
                .hasMessage("a reply that is not 4194304 bytes at the most");
    }
}

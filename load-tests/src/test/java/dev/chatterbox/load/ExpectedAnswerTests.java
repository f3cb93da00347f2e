package dev.chatterbox.load;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.handler.codec.http.DefaultHttpHeaders;
import io.netty.handler.codec.http.HttpHeaders;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ExpectedAnswerTests {

    private final ExpectedAnswer expected = new ExpectedAnswer(3);

    @Test
    void acceptsTheRightAnswer() {
        assertThat(judge("[{\"1\":1},{\"2\":4},{\"3\":9}]")).isSameAs(Judgement.RIGHT);
    }

    @Test
    void knowsSquaresBeyond32Bits() {
        int calls = 100_000;
        StringBuilder answer = new StringBuilder("[");
        for (long n = 1; n <= calls; n++) {
            answer.append(n == 1 ? "" : ",")
                    .append("{\"")
                    .append(n)
                    .append("\":")
                    .append(n * n)
                    .append('}');
        }
        byte[] body = answer.append(']').toString().getBytes(StandardCharsets.UTF_8);

        assertThat(new ExpectedAnswer(calls).judge(200, headers(body.length), body))
                .isSameAs(Judgement.RIGHT);
    }

    @ParameterizedTest
    @CsvSource(quoteCharacter = '`', delimiter = '|', textBlock = """
                    [{"1":1},{"2":4}]                       | wrong: number of entries | 2 entries, not 3
                    []                                      | wrong: form              | after 0 right entries, 0 of 2 bytes, comes '[]'
                    [{"1":1},{"2":4},{"3":9},{"4":16}]      | wrong: number of entries | 4 entries, not 3
                    [{"1":1},{"3":9},{"2":4}]               | wrong: order             | entry 2 is {"3":9}, not the square of 2
                    [{"1":1},{"1":1},{"2":4}]               | wrong: order             | entry 2 is {"1":1}, not the square of 2
                    [{"1":1},{"2":5},{"3":9}]               | wrong: square            | entry 2 is {"2":5}, not 4
                    [{"1":1},{"2":-4},{"3":9}]              | wrong: square            | entry 2 is {"2":-4}, not 4
                    [{"1":1}, {"2":4},{"3":9}]              | wrong: form              | after 1 right entries, 8 of 26 bytes, comes ', {"2":4},{"3":9}]'
                    [{"1":1},{"2":4},{"3":9}]]              | wrong: form              | after 3 right entries, 24 of 26 bytes, comes ']]'
                    {"1":1},{"2":4},{"3":9}]                | wrong: form              | after 0 right entries, 0 of 24 bytes, comes '{"1":1},{"2":4},{"3":9}]'
                    [{"1":1},{"2":4},{"3":                  | wrong: form              | after 2 right entries, 16 of 22 bytes, comes ',{"3":'
                    ``                                      | wrong: form              | after 0 right entries, 0 of 0 bytes, comes ''
                    """)
    void saysWhatIsWrong(String body, String message, String detail) {
        Judgement judgement = judge(body);

        assertThat(judgement.kind()).isEqualTo("wrong");
        assertThat(judgement.message()).isEqualTo(message);
        assertThat(judgement.detail()).isEqualTo(detail);
    }

    @Test
    void wantsContentLengthAndType() {
        byte[] body = "[{\"1\":1},{\"2\":4},{\"3\":9}]".getBytes(StandardCharsets.UTF_8);

        assertThat(expected.judge(200, new DefaultHttpHeaders().add("Content-Type", "application/json"), body)
                        .message())
                .isEqualTo("wrong: Content-Length");
        assertThat(expected.judge(200, new DefaultHttpHeaders().add("Content-Length", body.length), body)
                        .message())
                .isEqualTo("wrong: Content-Type");
    }

    @Test
    void countsAnotherStatusByItsNumber() {
        assertThat(expected.judge(503, headers(0), new byte[0]).kind()).isEqualTo("http-503");
        assertThat(expected.judge(302, headers(0), new byte[0]).kind()).isEqualTo("http-302");
    }

    private Judgement judge(String body) {
        byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
        return expected.judge(200, headers(bytes.length), bytes);
    }

    private static HttpHeaders headers(int length) {
        return new DefaultHttpHeaders().add("Content-Type", "application/json").add("Content-Length", length);
    }
}

package dev.chatterbox.load;

import static org.assertj.core.api.Assertions.assertThat;

import dev.chatterbox.workloads.QueueAnswer;
import io.netty.handler.codec.http.DefaultHttpHeaders;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ExpectedQueueTests {

    private static final String RIGHT = """
            {"ended":"complete","published":3,"acknowledged":3,"refused":0,"unknown":0,"received":3,"consumed":3,\
            "missing":0,"lost":0,"doubled":0,"outOfOrder":2,"sum":"14","makeMillis":0.5,"publishMillis":1.5,"consumeMillis":2.5,\
            "acknowledge":{"p50":0.1,"p95":0.2,"p99":0.3,"max":0.4},"oneWay":null}""";

    private final ExpectedQueue expected = new ExpectedQueue(3, 1);

    private Judgement judge(int status, String body) {
        return expected.judge(status, new DefaultHttpHeaders(), body.getBytes(StandardCharsets.UTF_8));
    }

    /** @param changes such as {@code consumed:2 lost:1} */
    private static String answer(String changes) {
        String answer = RIGHT;
        for (String change : changes.split(" ")) {
            String[] field = change.split(":");
            answer = answer.replaceFirst("(\"%s\":)(\"?)[^\",]*\"?".formatted(field[0]), "$1$2" + field[1] + "$2");
        }
        return answer;
    }

    @Test
    void keepsTheFiguresOfARun() {
        assertThat(judge(200, RIGHT)).isSameAs(Judgement.RIGHT);

        assertThat(expected.queue())
                .containsExactly(new QueueAnswer(
                        "complete",
                        3,
                        3,
                        0,
                        0,
                        3,
                        3,
                        0,
                        0,
                        0,
                        2,
                        0.5,
                        1.5,
                        2.5,
                        new QueueAnswer.Percentiles(0.1, 0.2, 0.3, 0.4),
                        QueueAnswer.Percentiles.NONE));
    }

    /** What is lost, consumed twice or refused is a figure. */
    @ParameterizedTest
    @CsvSource({
        "ended:no-progress consumed:2 received:2 missing:1 lost:1 sum:5",
        "ended:no-progress consumed:2 received:2 missing:1 lost:1 sum:13",
        "ended:no-progress consumed:2 received:2 missing:1 acknowledged:2 unknown:1 sum:10",
        "ended:no-progress consumed:2 received:2 acknowledged:2 refused:1 sum:5",
        "ended:no-progress published:0 acknowledged:0 consumed:0 received:0 sum:0",
        "received:5 doubled:2",
        "acknowledged:0 unknown:3",
    })
    void acceptsWhatIsLost(String changes) {
        assertThat(judge(200, answer(changes))).isSameAs(Judgement.RIGHT);
        assertThat(expected.queue()).hasSize(1);
    }

    @ParameterizedTest
    @CsvSource({
        "sum:13, sum",
        "sum:15, sum",
        "sum:-14, sum",
        "ended:no-progress consumed:2 received:2 missing:1 lost:1 sum:4, sum",
        "ended:no-progress consumed:2 received:2 missing:1 lost:1 sum:14, sum",
        "published:2, counts",
        "published:4 acknowledged:4, counts",
        "consumed:4 received:4, counts",
        "consumed:2 received:2, counts",
        "missing:1, counts",
        "lost:1, counts",
        "received:2, counts",
        "refused:1, counts",
    })
    void findsWhatDoesNotFit(String changes, String reason) {
        assertThat(judge(200, answer(changes)).message()).isEqualTo("wrong: " + reason);
        assertThat(expected.queue()).isEmpty();
    }

    @Test
    void saysWhatIsNoAnswer() {
        assertThat(judge(409, RIGHT).message()).isEqualTo("http-409");
        assertThat(judge(200, "no").message()).isEqualTo("wrong: form");
        assertThat(judge(200, "[{\"1\":1}]").message()).isEqualTo("wrong: form");
        Judgement unknown = judge(
                200,
                RIGHT.replace("\"consumed\":3", "\"consumed\":null")
                        .replace("null}", "null,\"why\":\"it has ended\"}"));
        assertThat(unknown.message()).isEqualTo("wrong: unknown");
        assertThat(unknown.detail()).isEqualTo("it has ended");
    }

    @ParameterizedTest
    @CsvSource({
        "received:6 consumed:6 sum:28, true",
        "received:6 consumed:6 sum:14, false",
        "received:3 consumed:3 sum:14, false",
        "ended:no-progress received:5 consumed:5 missing:1 lost:1 sum:27, true",
        "ended:no-progress received:5 consumed:5 missing:1 lost:1 sum:29, false",
        "received:7 consumed:7 sum:28, false"
    })
    void eachOfTwoGroupsConsumesEachMessage(String changes, boolean right) {
        Judgement judgement = new ExpectedQueue(3, 2)
                .judge(200, new DefaultHttpHeaders(), answer(changes).getBytes(StandardCharsets.UTF_8));

        assertThat(judgement.isRight()).as(judgement.detail()).isEqualTo(right);
    }

    @Test
    void knowsTheSumOfAMillionSquares() {
        String million = answer(
                "published:1000000 acknowledged:1000000 received:1000000 consumed:1000000" + " sum:333333833333500000");

        assertThat(new ExpectedQueue(1_000_000, 1)
                        .judge(200, new DefaultHttpHeaders(), million.getBytes(StandardCharsets.UTF_8)))
                .isSameAs(Judgement.RIGHT);
    }
}

package dev.chatterbox.workloads;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.chatterbox.transport.CallWork;
import dev.chatterbox.workloads.Load.Rate;
import dev.chatterbox.workloads.Load.Share;
import dev.chatterbox.workloads.Load.Users;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class WorkloadTests {

    @ParameterizedTest
    @ValueSource(
            strings = {
                "unary calls=1000 users=100",
                "unary calls=1 rate=63.5",
                "unary calls=1 rate=100000",
                "unary calls=10 rate=50%-of-slowest",
                "unary calls=10 rate=33.3%-of-slowest",
                "unary calls=10 users=1 payload=1024 distance=1ms",
                "batch calls=1000 size=100 users=100",
                "batch calls=7 size=10000 rate=5 payload=1",
                "stream calls=1000 users=100",
                "unary calls=1000 users=100 work=burn:200us",
                "stream calls=10 users=1 work=wait:2ms",
                "batch calls=10 size=2 rate=5 payload=1 work=burn:10ms+wait:1s distance=1ms",
            })
    void itsTextFormIsReadBackAsTheSame(String text) {
        Workload workload = Workload.parse(text);
        assertThat(workload).hasToString(text);
        assertThat(Workload.parse(workload.toString())).isEqualTo(workload);
    }

    @Test
    void whatIsLeftOutIsUnaryWithoutPayloadAndDistance() {
        assertThat(Workload.parse("users=5 calls=7")).isEqualTo(Workload.unary(7, new Users(5)));
    }

    @Test
    void workHasOneWayToSayEachAmount() {
        assertThat(Workload.parseAll("calls=1 users=1 work=burn:0us,burn:2000us,wait:1ms+burn:20us"))
                .extracting(Workload::toString)
                .containsExactly(
                        "unary calls=1 users=1",
                        "unary calls=1 users=1 work=burn:2ms",
                        "unary calls=1 users=1 work=burn:20us+wait:1ms");
        assertThat(Workload.parse("calls=1 users=1 work=burn:2ms").work()).isEqualTo(new CallWork(2_000, 0));
    }

    @Test
    void commasAndSemicolonsMakeEveryCombinationOnce() {
        assertThat(Workload.parseAll("calls=1,100 users=1,10; calls=100 users=10; calls=5 rate=2,50%-of-slowest"))
                .containsExactly(
                        Workload.unary(1, new Users(1)),
                        Workload.unary(1, new Users(10)),
                        Workload.unary(100, new Users(1)),
                        Workload.unary(100, new Users(10)),
                        Workload.unary(5, new Rate(2)),
                        Workload.unary(5, new Share(0.5)));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '"',
            value = {
                "\"\" | no workload",
                "calls=1 | needs either users",
                "calls=1 users=1 rate=2 | needs either users",
                "users=1 | calls=N is missing",
                "calls=0 users=1 | calls must be 1 to 1000000, but it is 0",
                "calls=1 users=0 | users must be 1 or more",
                "calls=1.5 users=1 | calls must be a whole number, but it is '1.5'",
                "calls=1 rate=0 | more than 0",
                "calls=1 rate=0%-of-slowest | more than 0 and at most 200 percent",
                "calls=1 rate=50% | rate must be a number, but it is",
                "calls=1 rate=201%-of-slowest | at most 200 percent",
                "calls=1 rate=x%-of-slowest | rate must be a number",
                "calls=1 users=1 payload=200000 | payload must be 0 to 131072, but it is 200000",
                "calls=1 users=1 distance=x | distance must be a whole number, but it is 'x'",
                "calls=1 users=1 distance=10001ms | distance must be 0ms to 10000ms, but it is 10001ms",
                "calls=1 users=1 work=burn:11ms | burn must be 0us to 10ms, such as 200us or 2ms, but it is '11ms'",
                "calls=1 users=1 work=wait:2s | wait must be 0us to 1s",
                "calls=1 users=1 work=burn:5 | but it is '5'",
                "calls=1 users=1 work=sleep:5ms | work must be like burn:200us, wait:2ms or burn:200us+wait:2ms",
                "calls=1 users=1 work=burn:1us+burn:2us | work must be like",
                "calls=1 users=1 work=5ms | work must be like",
                "calls=1 users=1 burn=5ms | 'burn=5ms' is not known",
                "calls=1001 users=1 work=burn:10ms | may burn 10s together, but it would be 10010ms",
                "queue calls=1 work=burn:1ms | so queue has none",
                "queue calls=1 topics=101 groups=10 | topics × groups of a queue must be at most 1000",
                "queue calls=1 consumers=11 groups=10 | groups × consumers of a queue must be at most 100",
                "calls=1 users=1 calls=2 | names calls twice",
                "calls=1 users=1 pigeons=3 | 'pigeons=3' is not known",
                "calls=1 users=1 size=3 | so unary has none",
                "stream calls=1 users=1 size=3 | so stream has none",
                "batch calls=1 users=1 | size=N is missing",
                "batch calls=1 users=1 size=0 | size must be 1 to 10000",
                "batch calls=1 users=1 size=10001 | size must be 1 to 10000",
                "pigeon calls=1 users=1 | no call mode 'pigeon'; there are unary, batch, stream, queue",
                "unary calls=1 users=1 publishers=3 | so unary has none",
                "stream calls=1 users=1 consumers=1 | so stream has none",
                "queue calls=1 users=1 size=3 | so queue has none",
                "queue calls=1 users=1 publishers=0 | publishers must be 1 to 1000",
                "queue calls=1 users=1 publishers=1001 | publishers must be 1 to 1000",
                "queue calls=1 users=1 consumers=17 | consumers must be 1 to 16",
                "queue calls=500001 groups=2 | calls × groups of a queue must be at most 1000000, but it is 1000002",
                "queue calls=1000000 users=1 payload=2148 | calls × payload of a queue must be at most 2147483648",
                "queue calls=1 users=2 | a queue has users=1",
                "queue calls=1 rate=50%-of-slowest | a queue has users=1",
                "calls=1,2 users=1 | must be one workload",
            })
    void saysWhatIsWrong(String text, String message) {
        assertThatThrownBy(() -> Workload.parse(text))
                .isInstanceOf(WorkloadException.class)
                .hasMessageContaining(message);
    }

    @ParameterizedTest
    @CsvSource({"0.5, 1000, 500", "0.5, 999, 200", "0.8, 999, 500", "0.5, 390, 100", "0.5, 1.3, 0.5", "0.8, 12.5, 10"})
    void aShareOfTheSlowestIsARoundRate(double share, double capacity, double rate) {
        assertThat(new Share(share).of(capacity).perSecond()).isCloseTo(rate, within(1e-9));
    }

    @Test
    void areTheSameButForTheirLoad() {
        Workload workload = Workload.parse("calls=10 users=5 payload=7");

        assertThat(workload.differsOnlyInLoadFrom(Workload.parse("calls=10 rate=50%-of-slowest payload=7")))
                .isTrue();
        assertThat(workload.differsOnlyInLoadFrom(workload.with(Dimension.CALLS, 11)))
                .isFalse();
        assertThat(workload.with(Dimension.CALLS, 11)).isEqualTo(Workload.parse("calls=11 users=5 payload=7"));
    }

    @ParameterizedTest
    @CsvSource({
        "unary calls=10 users=1, 10",
        "stream calls=10 users=1, 10",
        "batch calls=10 size=1 users=1, 10",
        "batch calls=10 size=3 users=1, 4",
        "batch calls=10 size=5 users=1, 2",
        "batch calls=10 size=100 users=1, 1"
    })
    void countsTheMessagesOfARequest(String text, int messages) {
        assertThat(Workload.parse(text).messages()).isEqualTo(messages);
    }

    @Test
    void aQueueHasTheAggregatorsDefaults() {
        String text = "queue calls=100000 users=1 publishers=250 consumers=1 payload=256";

        assertThat(Workload.parse("queue calls=100000 users=1")).hasToString(text);
        assertThat(Workload.parse(text)).hasToString(text);
        assertThat(Workload.parse("queue calls=1 users=1 payload=0 consumers=2 publishers=3 distance=5ms"))
                .hasToString("queue calls=1 users=1 publishers=3 consumers=2 payload=0 distance=5ms");
        assertThat(Workload.parse("queue calls=100 rate=20 publishers=7"))
                .hasToString("queue calls=100 rate=20 publishers=7 consumers=1 payload=256");
        assertThat(Workload.parse("queue calls=1 users=1 topics=100 groups=10"))
                .hasToString("queue calls=1 users=1 publishers=250 consumers=1 topics=100 groups=10 payload=256");
        assertThat(Workload.parse("queue calls=100000")).hasToString(text);
    }

    @Test
    void aDimensionChangesAlone() {
        Workload queue = Workload.parse("queue calls=5 payload=0");

        assertThat(queue.with(Dimension.TOPICS, 7))
                .hasToString("queue calls=5 users=1 publishers=250 consumers=1 topics=7 payload=0");
        assertThat(queue.sharesQueueWith(queue.with(Dimension.PUBLISHERS, 1))).isTrue();
        assertThat(queue.sharesQueueWith(queue.with(Dimension.GROUPS, 2))).isFalse();
        assertThat(Workload.parse("calls=5 users=1").get(Dimension.TOPICS)).isZero();
        assertThatThrownBy(() -> Workload.parse("calls=5 users=1").with(Dimension.SIZE, 2))
                .hasMessage("size is a number of another call mode, so unary has none");
    }

    @Test
    void areOrderedClosedFirstAndFewCallsBeforeMany() {
        assertThat(Stream.of(
                                "calls=10 rate=5",
                                "calls=10 rate=50%-of-slowest",
                                "calls=10 users=1",
                                "calls=2 users=100",
                                "calls=2 users=3")
                        .map(Workload::parse)
                        .sorted()
                        .map(Workload::toString))
                .containsExactly(
                        "unary calls=2 users=3",
                        "unary calls=2 users=100",
                        "unary calls=10 users=1",
                        "unary calls=10 rate=50%-of-slowest",
                        "unary calls=10 rate=5");
    }

    @ParameterizedTest
    @CsvSource({
        "unary calls=1000 users=100, /nats/square/unary/1000",
        "unary calls=1000 users=100 payload=7, /nats/square/unary/1000?payload=7",
        "batch calls=1000 size=30 rate=7, /nats/square/batch/1000?size=30",
        "batch calls=1000 size=30 rate=7 payload=7, /nats/square/batch/1000?size=30&payload=7",
        "stream calls=1000 users=100, /nats/square/stream/1000",
        "unary calls=10 users=1 work=burn:200us, /nats/square/unary/10?burn=200us",
        "batch calls=10 size=3 users=1 payload=7 work=burn:1ms+wait:2ms, /nats/square/batch/10?size=3&payload=7&burn=1ms&wait=2ms"
    })
    void asksForTheCallModeAndThePayload(String workload, String path) {
        assertThat(Workload.parse(workload).path("nats")).isEqualTo(path);
    }
}

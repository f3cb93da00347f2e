package dev.chatterbox.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.protobuf.ByteString;
import dev.chatterbox.proto.Input;
import dev.chatterbox.proto.Inputs;
import dev.chatterbox.proto.Output;
import dev.chatterbox.proto.Outputs;
import java.time.Duration;
import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests what a message contains and how large it is; {@link SquareClientContract} tests wrong answers. */
class SquareRequestTests {

    private static final Duration TIMEOUT = Duration.ofSeconds(5);

    @ParameterizedTest
    @CsvSource({"1,0", "46341,1", "2147483647,131072"})
    void aUnaryRequestIsAnInput(int number, int payload) throws Exception {
        SquareRequest request = TestRequests.of(number, payload, TIMEOUT);
        Input input = Input.parseFrom(request.body());
        assertThat(input.getNumber()).isEqualTo(number);
        assertThat(input.getPayload().size()).isEqualTo(payload);

        SquareReply reply = request.read(right(input).toByteArray());
        assertThat(reply.number()).isEqualTo(number);
        assertThat(reply.square(0)).isEqualTo((long) number * number);
        assertThat(reply.count()).isEqualTo(1);
    }

    @ParameterizedTest
    @CsvSource({"1,1,0", "1,10000,0", "7,3,1000", "2147473648,10000,1"})
    void aBatchIsInputsOfConsecutiveNumbers(int number, int count, int payload) throws Exception {
        SquareRequest request = TestRequests.of(true, number, count, payload, TIMEOUT);
        Outputs.Builder outputs = Outputs.newBuilder();
        for (Input input : Inputs.parseFrom(request.body()).getInputsList()) {
            assertThat(input.getNumber()).isEqualTo(number + outputs.getOutputsCount());
            outputs.addOutputs(right(input));
        }
        assertThat(outputs.getOutputsCount()).isEqualTo(count);

        SquareReply reply = request.read(outputs.build().toByteArray());
        assertThat(reply.number()).isEqualTo(number);
        assertThat(reply.count()).isEqualTo(count);
        for (int i = 0; i < count; i++) {
            assertThat(reply.square(i)).isEqualTo((long) (number + i) * (number + i));
        }
    }

    /** A message is never larger than mostBytes(). */
    @ParameterizedTest
    @CsvSource({"1,0", "1,131072", "10000,0", "100,1", "100,127", "100,128", "8,16384"})
    void isNoLargerThanItsBound(int count, int payload) {
        int last = Integer.MAX_VALUE;
        SquareRequest request = TestRequests.of(true, last - count + 1, count, payload, TIMEOUT);
        Outputs.Builder outputs = Outputs.newBuilder();
        request.inputs().getInputsList().forEach(input -> outputs.addOutputs(right(input)));
        assertThat((long) request.body().length).isLessThanOrEqualTo(SquareRequest.mostBytes(count, payload));
        assertThat((long) outputs.build().getSerializedSize())
                .isLessThanOrEqualTo(SquareRequest.mostBytes(count, payload));
        assertThat(("4611686014132420609,".length() + 1) * (long) count)
                .isLessThanOrEqualTo(SquareRequest.mostBytes(count, 0));
    }

    @Test
    void numbersHavePayloadsOfTheirOwn() {
        Set<ByteString> payloads = new HashSet<>();
        for (int number = 1; number <= 10_000; number++) {
            payloads.add(Payload.of(number, 16));
        }
        assertThat(payloads).hasSize(10_000);
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 500, 999})
    void findsOneByteThatIsWrong(int at) {
        byte[] bytes = Payload.of(5, 1000).toByteArray();
        assertThat(Payload.isOf(5, 1000, ByteString.copyFrom(bytes))).isTrue();
        assertThat(Payload.isOf(6, 1000, ByteString.copyFrom(bytes))).isFalse();
        assertThat(Payload.isOf(5, 999, ByteString.copyFrom(bytes))).isFalse();
        bytes[at]++;
        assertThat(Payload.isOf(5, 1000, ByteString.copyFrom(bytes))).isFalse();
    }

    /** The number that an answer names may be any int. */
    @ParameterizedTest
    @ValueSource(ints = {0, -1, Integer.MIN_VALUE, 2, Integer.MAX_VALUE})
    void anAnswerForAnotherNumberIsWrong(int other) {
        Output output = Output.newBuilder().setNumber(other).setResult(1).build();
        assertThatThrownBy(() -> TestRequests.of(1, 8, TIMEOUT).reply(output)).satisfies(SquareRequestTests::isWrong);
        Outputs outputs = Outputs.newBuilder().addOutputs(output).build();
        assertThatThrownBy(() -> TestRequests.of(true, 1, 1, 8, TIMEOUT).reply(outputs))
                .satisfies(SquareRequestTests::isWrong);
    }

    private static void isWrong(Throwable error) {
        assertThat(Outcome.of(error)).isEqualTo(Outcome.WRONG);
    }

    private static Output right(Input input) {
        return Output.newBuilder()
                .setNumber(input.getNumber())
                .setResult((long) input.getNumber() * input.getNumber())
                .setPayload(input.getPayload())
                .build();
    }
}

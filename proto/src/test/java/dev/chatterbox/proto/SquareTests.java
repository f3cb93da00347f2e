package dev.chatterbox.proto;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import com.google.protobuf.ByteString;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class SquareTests {

    @ParameterizedTest
    @CsvSource({"1,1", "2,4", "46340,2147395600", "46341,2147488281", "2147483647,4611686014132420609"})
    void squaresIn64Bits(int number, long square) {
        assertThat(Square.of(number)).isEqualTo(square);
    }

    @ParameterizedTest
    @ValueSource(ints = {0, -1, Integer.MIN_VALUE})
    void refusesWhatIsNoValidNumber(int number) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Square.of(number))
                .withMessageContaining("1 to 2147483647")
                .withMessageContaining("" + number);
    }

    /** Clients in other languages are written against these bytes. */
    @Test
    void messagesHaveTheAgreedBytes() {
        assertThat(Input.newBuilder().setNumber(300).build().toByteArray()).containsExactly(0x08, 0xAC, 0x02);
        assertThat(Output.newBuilder().setNumber(3).setResult(9).build().toByteArray())
                .containsExactly(0x08, 0x03, 0x10, 0x09);
        Input input = Input.newBuilder()
                .setNumber(3)
                .setPayload(ByteString.copyFromUtf8("ab"))
                .build();
        assertThat(input.toByteArray()).containsExactly(0x08, 0x03, 0x12, 0x02, 'a', 'b');
        assertThat(Inputs.newBuilder().addInputs(input).build().toByteArray())
                .containsExactly(0x0A, 0x06, 0x08, 0x03, 0x12, 0x02, 'a', 'b');
        Output output = Output.newBuilder()
                .setNumber(3)
                .setResult(9)
                .setPayload(ByteString.copyFromUtf8("ab"))
                .build();
        assertThat(output.toByteArray()).containsExactly(0x08, 0x03, 0x10, 0x09, 0x1A, 0x02, 'a', 'b');
        assertThat(Outputs.newBuilder().addOutputs(output).build().toByteArray())
                .containsExactly(0x0A, 0x08, 0x08, 0x03, 0x10, 0x09, 0x1A, 0x02, 'a', 'b');
    }
}

package dev.chatterbox.proto;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.protobuf.ByteString;
import com.google.protobuf.InvalidProtocolBufferException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class MessagesTests {

    @Test
    void readsAMessageWithoutCopyingItsPayload() throws Exception {
        Input input = Input.newBuilder()
                .setNumber(300)
                .setPayload(ByteString.copyFromUtf8("payload"))
                .build();
        byte[] body = input.toByteArray();

        Input read = Messages.parse(Input.parser(), body);

        assertThat(read).isEqualTo(input);
        body[body.length - 1] = 'D';
        assertThat(read.getPayload().toStringUtf8()).isEqualTo("payloaD");
    }

    /** A truncated message, a group's end without its beginning, and a message with the tag 0. */
    @ParameterizedTest
    @ValueSource(strings = {"\b", "\f", "\u0000\u0001nine"})
    void refusesWhatIsNoMessageAsTheLibraryDoes(String body) {
        byte[] bytes = ByteString.copyFromUtf8(body).toByteArray();
        assertThatThrownBy(() -> Input.parseFrom(bytes)).isInstanceOf(InvalidProtocolBufferException.class);
        assertThatThrownBy(() -> Messages.parse(Input.parser(), bytes))
                .isInstanceOf(InvalidProtocolBufferException.class);
    }
}

package dev.chatterbox.proto;

import com.google.protobuf.CodedInputStream;
import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.MessageLite;
import com.google.protobuf.Parser;
import com.google.protobuf.UnsafeByteOperations;

/** Parses messages as {@link Parser#parseFrom(byte[])} does, except that it does not copy their payloads. */
public final class Messages {

    /** The most inputs of one {@link Inputs}. */
    public static final int MOST_INPUTS = 10_000;

    private Messages() {}

    /**
     * @param body must not be changed afterwards, because payloads of the message are ranges of it
     * @throws InvalidProtocolBufferException the body is no such message
     */
    public static <T extends MessageLite> T parse(Parser<T> parser, byte[] body) throws InvalidProtocolBufferException {
        CodedInputStream input = UnsafeByteOperations.unsafeWrap(body).newCodedInput();
        input.enableAliasing(true);
        T message = parser.parseFrom(input);
        input.checkLastTagWas(0);
        return message;
    }
}

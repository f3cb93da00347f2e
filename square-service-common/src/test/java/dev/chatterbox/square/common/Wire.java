package dev.chatterbox.square.common;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;

/** {@code square.proto} by hand, without the generated classes. */
public final class Wire {

    private static final int NUMBER = 1 << 3;
    private static final int RESULT = 2 << 3;

    private Wire() {}

    public static byte[] input(int number) {
        ByteArrayOutputStream message = new ByteArrayOutputStream();
        message.write(NUMBER);
        // A negative int32 is sign-extended to ten bytes.
        long rest = number;
        do {
            message.write((int) (rest & 0x7F) | ((rest >>> 7) == 0 ? 0 : 0x80));
            rest >>>= 7;
        } while (rest != 0);
        return message.toByteArray();
    }

    /** Checks that the message answers this number, and nothing else. */
    public static Requester.Answer output(byte[] message, int number) {
        ByteBuffer bytes = ByteBuffer.wrap(message);
        require(bytes.get() == NUMBER, "the number comes first");
        require(varint(bytes) == number, "it belongs to the number " + number);
        require(bytes.get() == RESULT, "the result comes second");
        long square = varint(bytes);
        require(!bytes.hasRemaining(), "nothing follows");
        return Requester.Answer.square(square);
    }

    private static long varint(ByteBuffer bytes) {
        long value = 0;
        int shift = 0;
        byte next;
        do {
            next = bytes.get();
            value |= (long) (next & 0x7F) << shift;
            shift += 7;
        } while (next < 0);
        return value;
    }

    private static void require(boolean held, String what) {
        if (!held) {
            throw new AssertionError("Not so: " + what);
        }
    }
}

package dev.chatterbox.responder;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.util.List;

/** {@code square.proto} by hand, without the generated classes. */
public final class Wire {

    private static final int NUMBER = 1 << 3;
    private static final int RESULT = 2 << 3;
    private static final int BURN = 4 << 3;
    private static final int WAIT = 5 << 3;
    private static final int PAYLOAD_OF_INPUT = 2 << 3 | 2;
    private static final int PAYLOAD_OF_OUTPUT = 3 << 3 | 2;
    private static final int ELEMENT = 1 << 3 | 2;

    private Wire() {}

    public static byte[] input(int number) {
        ByteArrayOutputStream message = new ByteArrayOutputStream();
        message.write(NUMBER);
        // A negative int32 is sign-extended to ten bytes.
        writeVarint(message, number);
        return message.toByteArray();
    }

    public static byte[] input(int number, byte[] payload) {
        ByteArrayOutputStream message = new ByteArrayOutputStream();
        message.writeBytes(input(number));
        writeBytes(message, PAYLOAD_OF_INPUT, payload);
        return message.toByteArray();
    }

    /** An input that asks for work, in microseconds. */
    public static byte[] input(int number, long burn, long wait) {
        ByteArrayOutputStream message = new ByteArrayOutputStream();
        message.writeBytes(input(number));
        message.write(BURN);
        writeVarint(message, burn);
        message.write(WAIT);
        writeVarint(message, wait);
        return message.toByteArray();
    }

    /** The one answer to an input. */
    public static byte[] output(int number, long square, byte[] payload) {
        ByteArrayOutputStream message = new ByteArrayOutputStream();
        message.writeBytes(input(number));
        message.write(RESULT);
        writeVarint(message, square);
        writeBytes(message, PAYLOAD_OF_OUTPUT, payload);
        return message.toByteArray();
    }

    /** A square.Inputs of inputs, or a square.Outputs of outputs. */
    public static byte[] batch(List<byte[]> messages) {
        ByteArrayOutputStream batch = new ByteArrayOutputStream();
        for (byte[] message : messages) {
            batch.write(ELEMENT);
            writeVarint(batch, message.length);
            batch.writeBytes(message);
        }
        return batch.toByteArray();
    }

    /** An empty field is left out. */
    private static void writeBytes(ByteArrayOutputStream message, int tag, byte[] bytes) {
        if (bytes.length > 0) {
            message.write(tag);
            writeVarint(message, bytes.length);
            message.writeBytes(bytes);
        }
    }

    private static void writeVarint(ByteArrayOutputStream message, long value) {
        long rest = value;
        do {
            message.write((int) (rest & 0x7F) | ((rest >>> 7) == 0 ? 0 : 0x80));
            rest >>>= 7;
        } while (rest != 0);
    }

    /** Checks that the message contains the answer to this number, and nothing else. */
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

    private static void require(boolean condition, String what) {
        if (!condition) {
            throw new AssertionError("Not so: " + what);
        }
    }
}

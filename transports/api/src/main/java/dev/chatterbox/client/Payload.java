package dev.chatterbox.client;

import com.google.protobuf.ByteString;
import com.google.protobuf.UnsafeByteOperations;
import java.nio.ByteBuffer;
import java.util.Random;

/**
 * The payload of a number: a range of one array of random bytes, whose offset follows from the number. So no payload is
 * copied to be made or to be checked, and different numbers have different payloads.
 */
final class Payload {

    /** The largest, in bytes. */
    static final int MOST = 131_072;

    /** How many offsets there are. Numbers whose distance is a multiple of this have the same offset. */
    private static final int OFFSETS = 65_521;

    /** Odd, and far from 0 and from OFFSETS, so that the offsets of successive numbers are far from each other. */
    private static final int STEP = 40_503;

    private static final byte[] BYTES = new byte[OFFSETS + MOST];

    static {
        new Random(12).nextBytes(BYTES);
    }

    private Payload() {}

    private static int offset(int number) {
        return (int) ((long) number * STEP % OFFSETS);
    }

    /** @param bytes how many, 0 to {@link #MOST} */
    static ByteString of(int number, int bytes) {
        return bytes == 0 ? ByteString.EMPTY : UnsafeByteOperations.unsafeWrap(BYTES, offset(number), bytes);
    }

    /** Whether these bytes are the number's payload. */
    static boolean isOf(int number, int bytes, ByteString payload) {
        return payload.size() == bytes
                && (bytes == 0 || payload.asReadOnlyByteBuffer().equals(ByteBuffer.wrap(BYTES, offset(number), bytes)));
    }
}

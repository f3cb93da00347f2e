package dev.chatterbox.aggregator.client;

import com.google.protobuf.ByteString;
import com.google.protobuf.UnsafeByteOperations;
import java.nio.ByteBuffer;
import java.util.Random;

/**
 * The bytes that a number carries beside itself: a range of one array of random bytes, which begins at an offset that
 * follows from the number. So they cost no copy to make, and none to check, and those of another number are others.
 */
final class Payload {

    /** The largest, in bytes. */
    static final int MOST = 131_072;

    /** How many offsets there are; numbers that are so far apart have the same. */
    private static final int OFFSETS = 65_521;

    /** Odd, and far from 0 and from OFFSETS: numbers that follow each other begin far from each other. */
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

    /** Whether this is what the number carries. */
    static boolean isOf(int number, int bytes, ByteString payload) {
        return payload.size() == bytes
                && (bytes == 0 || payload.asReadOnlyByteBuffer().equals(ByteBuffer.wrap(BYTES, offset(number), bytes)));
    }
}

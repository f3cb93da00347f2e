package dev.chatterbox.workloads;

import java.io.IOException;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Instant;
import java.time.temporal.ChronoUnit;

/**
 * What one program knows of the one-way messages of a slice: a header of counts, and a number for each message. The
 * file is mapped into memory, so everything that was written is in the file, even if the program is killed right after
 * it.
 *
 * <p>All numbers are little-endian. The header has the {@link Field}s, 8 bytes each, in their order. The state of the
 * message with number n, 1 or more, follows after {@value #HEADER} + 4 × n bytes. Where messages are published, it is 0
 * before that; negative while the broker has not answered; the microseconds until its acknowledgement, at least 1; or
 * {@link #REFUSED} or {@link #UNKNOWN}. Where they are consumed, it is 0 before that, and then the microseconds since
 * the message was made, at least 1.
 *
 * <p>One thread at a time writes; other processes may read.
 */
public final class MessageFile {

    /** The broker does not take the message. */
    public static final int REFUSED = Integer.MIN_VALUE;

    /** It is not known whether the broker has the message. */
    public static final int UNKNOWN = Integer.MIN_VALUE + 1;

    /** The messages of the largest slice. The file has room for so many, and takes as much disk as is written. */
    public static final int MOST = 1 << 24;

    private static final int HEADER = 128;

    private static final VarHandle LONGS = MethodHandles.byteBufferViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

    private final MappedByteBuffer bytes;

    /** The counts of the header. Times are microseconds since 1970. */
    public enum Field {
        /** Messages that were published, or consumed, with what is doubled. */
        COUNT,
        /** Those that were consumed before. */
        DOUBLED,
        /** Those that came after one with a higher number of the same topic, and for the first time. */
        OUT_OF_ORDER,
        /** The squares of the numbers of the consumed messages, each once. */
        SUM,
        /** When the first message was published. */
        FIRST,
        /** When the last message was published, acknowledged or consumed. */
        LAST,
        /** How many microseconds it took to make the queue. */
        MADE
    }

    /** Opens the file; makes it if it is missing, and otherwise goes on with what is in it. */
    public MessageFile(Path path) throws IOException {
        try (FileChannel file =
                FileChannel.open(path, StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
            bytes = file.map(FileChannel.MapMode.READ_WRITE, 0, HEADER + 4L * (MOST + 1));
        }
        bytes.order(ByteOrder.LITTLE_ENDIAN);
    }

    /** The clock of messages, which all processes of a machine share. */
    public static long micros() {
        return ChronoUnit.MICROS.between(Instant.EPOCH, Instant.now());
    }

    public long get(Field field) {
        return (long) LONGS.getVolatile(bytes, field.ordinal() * Long.BYTES);
    }

    public void set(Field field, long value) {
        LONGS.setVolatile(bytes, field.ordinal() * Long.BYTES, value);
    }

    public void add(Field field, long more) {
        set(field, get(field) + more);
    }

    /** Corrects the counts of consumed messages by their states: a program may be killed between the two. */
    public void recount() {
        long distinct = 0;
        long sum = 0;
        for (int number = 1; number <= MOST; number++) {
            if (state(number) > 0) {
                distinct++;
                sum += (long) number * number;
            }
        }
        set(Field.SUM, sum);
        set(Field.COUNT, distinct + get(Field.DOUBLED));
    }

    public int state(int number) {
        return bytes.getInt(HEADER + Integer.BYTES * number);
    }

    public void state(int number, int state) {
        bytes.putInt(HEADER + Integer.BYTES * number, state);
    }
}

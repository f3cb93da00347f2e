package dev.chatterbox.workloads;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Base64;
import java.util.zip.DataFormatException;
import org.HdrHistogram.Histogram;

/** The latencies of a {@link SliceResult}: nanoseconds in an HdrHistogram, compressed, in Base64. */
public final class Latencies {

    private Latencies() {}

    public static String text(Histogram latencies) {
        ByteBuffer buffer = ByteBuffer.allocate(latencies.getNeededByteBufferCapacity());
        int length = latencies.encodeIntoCompressedByteBuffer(buffer);
        return Base64.getEncoder().encodeToString(Arrays.copyOf(buffer.array(), length));
    }

    /**
     * The histogram of such a text; an empty one if the text is empty, as a bare client's is.
     *
     * @throws WorkloadException the text is no histogram
     */
    public static Histogram histogram(String text) {
        if (text.isEmpty()) {
            return new Histogram(3);
        }
        try {
            return Histogram.decodeFromCompressedByteBuffer(
                    ByteBuffer.wrap(Base64.getDecoder().decode(text)), 0);
        } catch (DataFormatException | IllegalArgumentException e) {
            throw new WorkloadException("Latencies cannot be read: " + e.getMessage());
        }
    }
}

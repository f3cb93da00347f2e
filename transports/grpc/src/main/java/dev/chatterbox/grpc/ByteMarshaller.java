package dev.chatterbox.grpc;

import io.grpc.KnownLength;
import io.grpc.MethodDescriptor;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;

/** Leaves messages as bytes, in both directions. */
public final class ByteMarshaller implements MethodDescriptor.Marshaller<byte[]> {

    @Override
    public InputStream stream(byte[] message) {
        return new ByteArrayInputStream(message);
    }

    @Override
    public byte[] parse(InputStream message) {
        try {
            // readAllBytes() makes a buffer of 16 KiB, whatever the length. A compressed message does not know its own.
            return message instanceof KnownLength ? message.readNBytes(message.available()) : message.readAllBytes();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}

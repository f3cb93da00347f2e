package dev.chatterbox.rest;

import dev.chatterbox.client.Outcome;
import dev.chatterbox.http.HttpMessages;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Publisher;
import org.springframework.core.ResolvableType;
import org.springframework.core.codec.AbstractDataBufferDecoder;
import org.springframework.core.io.buffer.DataBuffer;
import org.springframework.core.io.buffer.DataBufferUtils;
import org.springframework.util.MimeType;
import org.springframework.util.MimeTypeUtils;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * Reads a short body as text, whatever its content type says; one that is longer than any square is an
 * {@link Outcome#ERROR}.
 */
final class TextDecoder extends AbstractDataBufferDecoder<String> {

    TextDecoder() {
        super(MimeTypeUtils.ALL);
    }

    @Override
    public boolean canDecode(ResolvableType type, @Nullable MimeType contentType) {
        return type.resolve() == String.class;
    }

    /** Joins the parts of a body, which are few and short: the library's joining costs more than all else here. */
    @Override
    public Mono<String> decodeToMono(
            Publisher<DataBuffer> body,
            ResolvableType type,
            @Nullable MimeType contentType,
            @Nullable Map<String, Object> hints) {
        return Flux.from(body).map(TextDecoder::text).reduce(TextDecoder::join);
    }

    private static String join(String text, String part) {
        HttpMessages.requireDigits(text.length() + part.length());
        return text.concat(part);
    }

    private static String text(DataBuffer part) {
        String text = part.toString(StandardCharsets.US_ASCII);
        DataBufferUtils.release(part);
        return text;
    }
}

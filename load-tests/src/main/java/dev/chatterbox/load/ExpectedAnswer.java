package dev.chatterbox.load;

import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaders;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * The one right answer to a request of n calls, to the last byte: {@code [{"1":1},{"2":4},…,{"n":n²}]}. It is built
 * once; a right answer costs one comparison of arrays, about a microsecond for 1000 calls. Only a wrong answer is
 * parsed. Safe for concurrent use.
 */
final class ExpectedAnswer {

    private static final Pattern ENTRY = Pattern.compile("\\{\"([1-9]\\d{0,9})\":(-?\\d{1,19})}");

    private final int calls;
    private final byte[] body;
    private final String contentLength;

    ExpectedAnswer(int calls) {
        this.calls = calls;
        this.body = IntStream.rangeClosed(1, calls)
                .mapToObj(n -> "{\"" + n + "\":" + (long) n * n + "}")
                .collect(Collectors.joining(",", "[", "]"))
                .getBytes(StandardCharsets.US_ASCII);
        this.contentLength = String.valueOf(body.length);
    }

    Judgement judge(int status, HttpHeaders headers, byte[] answer) {
        if (status != 200) {
            return Judgement.status(status);
        }
        if (!Arrays.equals(body, answer)) {
            return explain(new String(answer, StandardCharsets.UTF_8));
        }
        String length = headers.get(HttpHeaderNames.CONTENT_LENGTH);
        if (!contentLength.equals(length)) {
            return Judgement.wrong("Content-Length", "Content-Length is %s, not %s".formatted(length, contentLength));
        }
        String type = headers.get(HttpHeaderNames.CONTENT_TYPE);
        if (type == null || !type.startsWith("application/json")) {
            return Judgement.wrong("Content-Type", "Content-Type is %s, not application/json".formatted(type));
        }
        return Judgement.RIGHT;
    }

    private Judgement explain(String answer) {
        Matcher entry = ENTRY.matcher(answer);
        int end = 0;
        int entries = 0;
        while (entry.find() && entry.start() == end + 1 && answer.charAt(end) == (entries == 0 ? '[' : ',')) {
            end = entry.end();
            entries++;
            long number = Long.parseLong(entry.group(1));
            if (number != entries) {
                return Judgement.wrong(
                        "order", "entry %d is %s, not the square of %1$d".formatted(entries, entry.group()));
            }
            if (!entry.group(2).equals(String.valueOf(number * number))) {
                return Judgement.wrong(
                        "square", "entry %d is %s, not %d".formatted(entries, entry.group(), number * number));
            }
        }
        if (!answer.startsWith("]", end) || end + 1 != answer.length()) {
            String rest = answer.substring(end, Math.min(answer.length(), end + 40));
            return Judgement.wrong(
                    "form",
                    "after %d right entries, %d of %d bytes, comes '%s'"
                            .formatted(entries, end, answer.length(), rest));
        }
        return Judgement.wrong("number of entries", "%d entries, not %d".formatted(entries, calls));
    }
}

package dev.chatterbox.rest;

import com.google.protobuf.ByteString;
import dev.chatterbox.http.HttpMessages;
import dev.chatterbox.proto.Output;
import dev.chatterbox.responder.Reply;
import dev.chatterbox.responder.SquareResponder;
import dev.chatterbox.transport.CallWork;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.springframework.core.io.buffer.DataBuffer;
import org.springframework.core.io.buffer.DataBufferUtils;
import org.springframework.core.io.buffer.DefaultDataBufferFactory;
import org.springframework.http.HttpStatus;
import org.springframework.http.ProblemDetail;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.publisher.MonoSink;

/**
 * One stream. Each line is a number, answered by a line such as {@code {"3":9}}. The lines of one buffer are answered
 * in one buffer. A wrong line is answered by {@code {"error":<problem detail>}}, and ends the stream.
 */
final class StreamedLines {

    /** Every valid line is shorter. The error about a longer one repeats no more of it. */
    private static final int LONGEST_LINE = 64;

    /** The most buffers with delayed answers. When there are so many, no more input is read. */
    private static final int MOST_BUFFERS = 256;

    private final SquareResponder responder;
    private final CallWork work;
    private final Function<ProblemDetail, String> json;

    /** The beginning of a line whose end has not come yet. One thread at a time uses this field and the next one. */
    private String partialLine = "";

    /** Whether a line was wrong. Later lines are neither counted nor answered. */
    private boolean atFault;

    /** @param work of each number */
    StreamedLines(SquareResponder responder, CallWork work, Function<ProblemDetail, String> json) {
        this.responder = responder;
        this.work = work;
        this.json = json;
    }

    /** @param last whether the stream ends after these lines */
    private record ReplyLines(String lines, boolean last) {}

    Flux<DataBuffer> answers(Flux<DataBuffer> body) {
        return body.map(StreamedLines::text)
                // The last line may have no end.
                .concatWithValues("\n")
                .flatMap(part -> answer(lines(part)), MOST_BUFFERS)
                .takeUntil(ReplyLines::last)
                .filter(answer -> !answer.lines.isEmpty())
                .map(answer ->
                        DefaultDataBufferFactory.sharedInstance.wrap(answer.lines.getBytes(StandardCharsets.UTF_8)));
    }

    private static String text(DataBuffer part) {
        String text = part.toString(StandardCharsets.UTF_8);
        DataBufferUtils.release(part);
        return text;
    }

    private List<String> lines(String part) {
        List<String> lines = new ArrayList<>(List.of(partialLine.concat(part).split("\n", -1)));
        partialLine = lines.remove(lines.size() - 1);
        lines.removeIf(String::isEmpty);
        if (partialLine.length() > LONGEST_LINE) {
            lines.add(partialLine);
            partialLine = "";
        }
        return lines;
    }

    private Mono<ReplyLines> answer(List<String> lines) {
        return Mono.create(sink -> {
            Answers answers = new Answers(sink, lines.size() + 1);
            for (String line : lines) {
                if (!answer(line, answers)) {
                    answers.answered();
                }
            }
            answers.answered();
        });
    }

    /** @return false if the line is never answered */
    private boolean answer(String line, Answers answers) {
        if (atFault) {
            return false;
        }
        int number = HttpMessages.number(line);
        if (number > 0) {
            return responder.answer(number, ByteString.EMPTY, work, answers);
        }
        atFault = true;
        responder.refuse(HttpMessages.outOfRange(line.substring(0, Math.min(line.length(), LONGEST_LINE))), answers);
        return true;
    }

    /** The answers to the lines of one buffer. */
    private final class Answers implements Reply<Output> {

        private final MonoSink<ReplyLines> sink;

        /** {@code this} guards these three fields. */
        private final StringBuilder text = new StringBuilder();

        private boolean failed;
        private int missing;

        Answers(MonoSink<ReplyLines> sink, int missing) {
            this.sink = sink;
            this.missing = missing;
        }

        @Override
        public synchronized void answer(Output output) {
            if (!failed) {
                text.append("{\"")
                        .append(output.getNumber())
                        .append("\":")
                        .append(output.getResult())
                        .append("}\n");
            }
            answered();
        }

        @Override
        public synchronized void error(String reason) {
            failed = true;
            text.append("{\"error\":")
                    .append(json.apply(ProblemDetail.forStatusAndDetail(HttpStatus.BAD_REQUEST, reason)))
                    .append("}\n");
            answered();
        }

        synchronized void answered() {
            missing--;
            if (missing == 0) {
                sink.success(new ReplyLines(text.toString(), failed));
            }
        }
    }
}

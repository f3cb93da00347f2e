package dev.chatterbox.rest;

import com.google.protobuf.ByteString;
import com.google.protobuf.MessageLite;
import dev.chatterbox.http.HttpMessages;
import dev.chatterbox.proto.Output;
import dev.chatterbox.proto.Outputs;
import dev.chatterbox.responder.Reply;
import dev.chatterbox.responder.SquareResponder;
import dev.chatterbox.traces.ResponderWork;
import dev.chatterbox.traces.Traces;
import dev.chatterbox.traces.WorkSpan;
import dev.chatterbox.transport.CallWork;
import jakarta.servlet.http.HttpServletRequest;
import java.io.IOException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;
import org.springframework.http.ProblemDetail;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.server.ResponseStatusException;

/**
 * The same service as that of {@link SquareRoutes} without streams, by Spring MVC. The thread of a request blocks until
 * its answer is there.
 */
@RestController
public class SquareController {

    private static final String UNARY = HttpMessages.PATH + "unary";
    private static final String BATCH = HttpMessages.PATH + "batch";

    private final SquareResponder responder;

    SquareController(SquareResponder responder) {
        this.responder = responder;
    }

    /** @param number absent if nothing follows the last slash */
    @GetMapping({UNARY + "/{number}", UNARY + "/"})
    ResponseEntity<?> square(@PathVariable(required = false) @Nullable String number, HttpServletRequest request) {
        String text = number == null ? "" : number;
        return this.<Output>answered(
                request, MediaType.APPLICATION_JSON, Output::getResult, reply -> answer(text, request, reply));
    }

    private boolean answer(String number, HttpServletRequest request, Reply<Output> reply) {
        try {
            CallWork work = work(request);
            int value = HttpMessages.number(number);
            if (value > 0) {
                return responder.answer(value, ByteString.EMPTY, work, reply);
            }
            responder.refuse(HttpMessages.outOfRange(number), reply);
        } catch (IllegalArgumentException e) {
            responder.refuse(String.valueOf(e.getMessage()), reply);
        }
        return true;
    }

    /** @throws IllegalArgumentException the query asks for work that cannot be */
    private static CallWork work(HttpServletRequest request) {
        return request.getQueryString() == null
                ? CallWork.NONE
                : CallWork.parse(request.getParameter(CallWork.BURN), request.getParameter(CallWork.WAIT));
    }

    /** The path has only POST, and Spring MVC would say so by the status 405. */
    @GetMapping(UNARY)
    void nothing() {
        throw new ResponseStatusException(HttpStatus.NOT_FOUND, "there is nothing here");
    }

    @PostMapping(path = UNARY, consumes = MediaType.APPLICATION_PROTOBUF_VALUE)
    ResponseEntity<?> square(HttpServletRequest request) throws IOException {
        byte[] body = body(request);
        return this.<Output>answered(
                request,
                MediaType.APPLICATION_PROTOBUF,
                MessageLite::toByteArray,
                reply -> isRefused(body, reply) || responder.answer(body, reply));
    }

    @PostMapping(path = BATCH, consumes = MediaType.APPLICATION_PROTOBUF_VALUE)
    ResponseEntity<?> squares(HttpServletRequest request) throws IOException {
        byte[] body = body(request);
        return this.<Outputs>answered(
                request,
                MediaType.APPLICATION_PROTOBUF,
                MessageLite::toByteArray,
                reply -> isRefused(body, reply) || responder.answerBatch(body, reply));
    }

    @PostMapping(path = BATCH, consumes = MediaType.APPLICATION_JSON_VALUE)
    ResponseEntity<?> squaresOfNumbers(HttpServletRequest request) throws IOException {
        byte[] body = body(request);
        return this.<Outputs>answered(
                request,
                MediaType.APPLICATION_JSON,
                SquareController::squares,
                reply ->
                        isRefused(body, reply) || SquareRoutes.answerJson(responder, body, () -> work(request), reply));
    }

    private static long[] squares(Outputs outputs) {
        return outputs.getOutputsList().stream().mapToLong(Output::getResult).toArray();
    }

    /** The body, or of one that is too large the part by which this is seen. */
    private static byte[] body(HttpServletRequest request) throws IOException {
        return request.getInputStream().readNBytes(HttpMessages.MOST_BYTES + 1);
    }

    private boolean isRefused(byte[] body, Reply<?> reply) {
        boolean tooLarge = body.length > HttpMessages.MOST_BYTES;
        if (tooLarge) {
            responder.refuse(HttpMessages.TOO_LARGE, reply);
        }
        return tooLarge;
    }

    /** @param asked whether the request that gets this reply is answered at all */
    private <T extends MessageLite> ResponseEntity<?> answered(
            HttpServletRequest request, MediaType type, Function<? super T, Object> body, Predicate<Reply<T>> asked) {
        HttpReply<T> reply = new HttpReply<>(type, body, responder.trace(request.getHeader(Traces.PARENT)));
        if (!asked.test(reply)) {
            // Silence on demand lasts until any requester has left, which Tomcat does not see while it waits.
            reply.completeOnTimeout(ResponseEntity.internalServerError().build(), 1, TimeUnit.MINUTES);
        }
        return reply.join();
    }

    private static final class HttpReply<T extends MessageLite> extends CompletableFuture<ResponseEntity<?>>
            implements Reply<T> {

        private final MediaType type;
        private final Function<? super T, Object> body;
        private final @Nullable WorkSpan span;

        HttpReply(MediaType type, Function<? super T, Object> body, @Nullable WorkSpan span) {
            this.type = type;
            this.body = body;
            this.span = span;
        }

        @Override
        public void answer(T answer) {
            ResponseEntity.BodyBuilder response = ResponseEntity.ok().contentType(type);
            if (span != null) {
                response.header(ResponderWork.HEADER, span.end());
            }
            complete(response.body(body.apply(answer)));
        }

        @Override
        public void error(int code, String reason) {
            if (span != null) {
                span.end();
            }
            ProblemDetail problem = ProblemDetail.forStatusAndDetail(HttpStatus.valueOf(code), reason);
            complete(ResponseEntity.of(problem).build());
        }
    }
}

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
public record SquareController(SquareResponder responder) {

    /** @param number absent if nothing follows the last slash */
    @GetMapping({HttpMessages.UNARY + "/{number}", HttpMessages.UNARY + "/"})
    ResponseEntity<?> square(@PathVariable(required = false) @Nullable String number, HttpServletRequest request)
            throws IOException {
        String text = number == null ? "" : number;
        return answered(
                request,
                MediaType.APPLICATION_JSON,
                reply -> responder.answer(HttpMessages.requireNumber(text), ByteString.EMPTY, work(request), reply));
    }

    /** @throws IllegalArgumentException the query asks for work that cannot be */
    private static CallWork work(HttpServletRequest request) {
        return request.getQueryString() == null
                ? CallWork.NONE
                : CallWork.parse(request.getParameter(CallWork.BURN), request.getParameter(CallWork.WAIT));
    }

    /** The path has only POST, and Spring MVC would say so by the status 405. */
    @GetMapping(HttpMessages.UNARY)
    void nothing() {
        throw new ResponseStatusException(HttpStatus.NOT_FOUND, "there is nothing here");
    }

    @PostMapping(path = HttpMessages.UNARY, consumes = MediaType.APPLICATION_PROTOBUF_VALUE)
    ResponseEntity<?> square(HttpServletRequest request) throws IOException {
        return answered(request, MediaType.APPLICATION_PROTOBUF, reply -> responder.answer(body(request), reply));
    }

    @PostMapping(path = HttpMessages.BATCH, consumes = MediaType.APPLICATION_PROTOBUF_VALUE)
    ResponseEntity<?> squares(HttpServletRequest request) throws IOException {
        return answered(request, MediaType.APPLICATION_PROTOBUF, reply -> responder.answerBatch(body(request), reply));
    }

    @PostMapping(path = HttpMessages.BATCH, consumes = MediaType.APPLICATION_JSON_VALUE)
    ResponseEntity<?> squaresOfNumbers(HttpServletRequest request) throws IOException {
        return answered(
                request,
                MediaType.APPLICATION_JSON,
                reply -> responder.answerBatch(HttpMessages.inputs(body(request), work(request)), reply));
    }

    /** @throws IllegalArgumentException it is too large */
    private static byte[] body(HttpServletRequest request) throws IOException {
        byte[] body = request.getInputStream().readNBytes(HttpMessages.MOST_BYTES + 1);
        if (body.length > HttpMessages.MOST_BYTES) {
            throw new IllegalArgumentException(HttpMessages.TOO_LARGE);
        }
        return body;
    }

    /** Passes a request on to the responder. */
    @FunctionalInterface
    private interface Question {

        /**
         * @return whether the reply is answered at all
         * @throws IllegalArgumentException the request is wrong; the message says how
         */
        boolean ask(Reply<MessageLite> reply) throws IOException;
    }

    private ResponseEntity<?> answered(HttpServletRequest request, MediaType type, Question question)
            throws IOException {
        HttpReply reply = new HttpReply(type, responder.trace(request.getHeader(Traces.PARENT)));
        try {
            if (!question.ask(reply)) {
                // Silence on demand lasts until any requester has left, which Tomcat does not see while it waits.
                reply.completeOnTimeout(ResponseEntity.internalServerError().build(), 1, TimeUnit.MINUTES);
            }
        } catch (IllegalArgumentException e) {
            responder.refuse(String.valueOf(e.getMessage()), reply);
        }
        return reply.join();
    }

    private static final class HttpReply extends CompletableFuture<ResponseEntity<?>> implements Reply<MessageLite> {

        private final MediaType type;
        private final @Nullable WorkSpan span;

        HttpReply(MediaType type, @Nullable WorkSpan span) {
            this.type = type;
            this.span = span;
        }

        @Override
        public void answer(MessageLite answer) {
            ResponseEntity.BodyBuilder response = ResponseEntity.ok().contentType(type);
            if (span != null) {
                response.header(ResponderWork.HEADER, span.end());
            }
            complete(response.body(type == MediaType.APPLICATION_JSON ? numbers(answer) : answer.toByteArray()));
        }

        /** What Spring MVC writes as JSON: a number, or to a batch an array of numbers. */
        private static Object numbers(MessageLite answer) {
            return answer instanceof Output output
                    ? output.getResult()
                    : ((Outputs) answer)
                            .getOutputsList().stream()
                                    .mapToLong(Output::getResult)
                                    .toArray();
        }

        @Override
        public void error(String reason) {
            WorkSpan.end(span);
            ProblemDetail problem = ProblemDetail.forStatusAndDetail(HttpStatus.BAD_REQUEST, reason);
            complete(ResponseEntity.of(problem).build());
        }
    }
}

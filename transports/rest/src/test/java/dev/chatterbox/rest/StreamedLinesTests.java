package dev.chatterbox.rest;

import static org.assertj.core.api.Assertions.assertThat;

import dev.chatterbox.responder.Faults;
import dev.chatterbox.responder.SquareResponder;
import dev.chatterbox.transport.CallWork;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.core.io.buffer.DataBuffer;
import org.springframework.core.io.buffer.DefaultDataBufferFactory;
import reactor.core.publisher.Flux;

class StreamedLinesTests {

    @ParameterizedTest
    @ValueSource(strings = {"", "\n", "\n4\n"})
    void repeatsOnlyTheBeginningOfALongWrongLine(String end) {
        DataBuffer body = DefaultDataBufferFactory.sharedInstance.wrap(
                ("3\n" + "x".repeat(10_000) + end).getBytes(StandardCharsets.UTF_8));
        try (SquareResponder responder = new SquareResponder("test", Faults.NONE, new SimpleMeterRegistry())) {
            StreamedLines lines =
                    new StreamedLines(responder, CallWork.NONE, problem -> String.valueOf(problem.getDetail()));

            assertThat(lines.answers(Flux.just(body))
                            .map(answer -> answer.toString(StandardCharsets.UTF_8))
                            .collectList()
                            .block())
                    .containsExactly("{\"3\":9}\n{\"error\":the number must be 1 to 2147483647, but it is '"
                            + "x".repeat(64) + "'}\n");
        }
    }
}

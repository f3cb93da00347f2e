package dev.chatterbox.traces;

import static org.assertj.core.api.Assertions.assertThat;

import dev.chatterbox.processes.JavaCommand;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.SpanKind;
import io.opentelemetry.context.Context;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;

class TracesTests {

    private final Traces traces = new Traces("here");

    @Test
    void carriesASpanToTheWorkAndTheWorkBack() {
        Span call = traces.begin("call", SpanKind.CLIENT, Context.root(), Traces.now());
        String traceparent = Traces.traceparent(call);

        long before = Traces.now();
        WorkSpan work = traces.work(traceparent);
        assertThat(work).isNotNull();
        ResponderWork responderWork = ResponderWork.parse(work.end());

        assertThat(traceparent)
                .matches("00-%s-%s-0[13]"
                        .formatted(
                                call.getSpanContext().getTraceId(),
                                call.getSpanContext().getSpanId()));
        assertThat(responderWork).isNotNull();
        assertThat(responderWork.responder()).isEqualTo("here");
        assertThat(responderWork.begun()).isBetween(before, responderWork.ended());
        assertThat(responderWork.ended()).isLessThanOrEqualTo(Traces.now());
    }

    @Test
    void tracesNoWorkThatIsNotAskedFor() {
        assertThat(traces.work(null)).isNull();
        assertThat(traces.work("")).isNull();
        assertThat(traces.work("00-no")).isNull();
        assertThat(traces.work("00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-00"))
                .as("not sampled")
                .isNull();
    }

    @Test
    void readsNoWorkFromWhatIsNone() {
        assertThat(ResponderWork.parse(null)).isNull();
        assertThat(ResponderWork.parse("null")).isNull();
        assertThat(ResponderWork.parse("1 2")).isNull();
        assertThat(ResponderWork.parse("1 x here")).isNull();
        assertThat(ResponderWork.parse("1 2 a name of words")).isEqualTo(new ResponderWork("a name of words", 1, 2));
    }

    /** What a process does that traces nothing; it prints which classes it loads. */
    public static final class Untraced {

        public static void main(String[] arguments) {
            Traces traces = new Traces("here");
            traces.work(null);
            traces.work("00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-00");
            traces.close();
        }
    }

    @Test
    void loadsNothingOfTheSdkBeforeTheFirstSpan() throws IOException {
        String classPath = System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"));
        Process process = new ProcessBuilder(
                        JavaCommand.of(List.of("-Xlog:class+load", "-cp", classPath, Untraced.class.getName())))
                .redirectErrorStream(true)
                .start();
        assertThat(new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8))
                .contains(Traces.class.getName())
                .doesNotContain("io.opentelemetry.sdk.");
    }
}

package dev.chatterbox.traces;

import static org.assertj.core.api.Assertions.assertThat;

import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.SpanKind;
import io.opentelemetry.context.Context;
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
        ResponderWork told = ResponderWork.parse(work.end());

        assertThat(traceparent)
                .matches("00-%s-%s-0[13]"
                        .formatted(
                                call.getSpanContext().getTraceId(),
                                call.getSpanContext().getSpanId()));
        assertThat(told).isNotNull();
        assertThat(told.responder()).isEqualTo("here");
        assertThat(told.begun()).isBetween(before, told.ended());
        assertThat(told.ended()).isLessThanOrEqualTo(Traces.now());
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
}

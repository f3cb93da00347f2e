package dev.chatterbox.report;

import static org.assertj.core.api.Assertions.assertThat;

import dev.chatterbox.report.WaterfallPictures.Part;
import dev.chatterbox.report.WaterfallPictures.Path;
import dev.chatterbox.results.TracedRequest;
import dev.chatterbox.results.TracedRequest.Bar;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class WaterfallPicturesTests {

    @Test
    void drawsEachPartOfEachCallOnOneScale() {
        WaterfallPictures pictures = WaterfallPictures.of(List.of(
                waterfall("nats", 500, new Bar(1, 0, 500, "here", 200.0, 300.0)),
                waterfall("rest", 1_000, new Bar(1, 100, 1_000, null, null, null))));

        assertThat(pictures.end()).isEqualTo(1_000);
        assertThat(pictures.ticks()).containsExactly("500 µs", "1.00 ms");
        assertThat(pictures.pictures().get(0).paths())
                .containsExactly(
                        new Path(Part.WAIT, ""),
                        new Path(Part.THERE, "M0.0 0.1h200.0v.8h-200.0z"),
                        new Path(Part.WORK, "M200.0 0.1h100.0v.8h-100.0z"),
                        new Path(Part.BACK, "M300.0 0.1h200.0v.8h-200.0z"));
        assertThat(pictures.pictures().get(1).paths())
                .startsWith(
                        new Path(Part.WAIT, "M0.0 0.1h100.0v.8h-100.0z"),
                        new Path(Part.THERE, "M100.0 0.1h900.0v.8h-900.0z"));
    }

    /** Work of a microsecond among milliseconds is still to be seen; work that nobody tells is not drawn. */
    @Test
    void showsWorkThatIsTooShortForTheScale() {
        List<WaterfallPictures.Picture> pictures = WaterfallPictures.of(List.of(
                        waterfall("nats", 1e6, new Bar(1, 0, 1e6, "here", 500_000.0, 500_001.0)),
                        waterfall("rest", 1e6, new Bar(1, 0, 1e6, null, null, null))))
                .pictures();

        assertThat(pictures.get(0).paths()).contains(new Path(Part.WORK, "M500.0 0.1h1.0v.8h-1.0z"));
        assertThat(pictures.get(1).paths()).contains(new Path(Part.WORK, ""));
    }

    @Test
    void saysItInWords() {
        assertThat(WaterfallPictures.of(List.of(
                                waterfall("nats", 500, new Bar(1, 10, 500, "here", 200.0, 300.0)),
                                waterfall("rest", 500, new Bar(1, 10, 500, null, null, null)),
                                new TracedRequest(
                                        "kafka",
                                        1,
                                        500,
                                        Map.of("far", -1_500.0, "near", 0.0),
                                        List.of(new Bar(1, 10, 500, "far", 200.0, 300.0)))))
                        .pictures())
                .extracting(WaterfallPictures.Picture::summary)
                .containsExactly(
                        "Half of the calls were sent within 10.0 µs; the median call took 490 µs, of which its responder worked 100 µs.",
                        "Half of the calls were sent within 10.0 µs; the median call took 490 µs; its replies do not say when their responder worked.",
                        "Half of the calls were sent within 10.0 µs; the median call took 490 µs, of which its responder worked 100 µs. The clock of far was set by 1.50 ms.");
    }

    private static TracedRequest waterfall(String row, double micros, Bar... bars) {
        return new TracedRequest(row, bars.length, micros, Map.of(), List.of(bars));
    }
}

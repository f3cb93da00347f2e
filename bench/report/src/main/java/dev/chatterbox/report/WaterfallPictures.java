package dev.chatterbox.report;

import dev.chatterbox.results.TracedRequest;
import dev.chatterbox.results.TracedRequest.Bar;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;

/**
 * One traced request over each row as a drawing: a line for each call, all rows on one scale.
 *
 * @param end where the scale ends, in microseconds
 */
record WaterfallPictures(List<Picture> pictures, double end) {

    /** Units of a drawing's width; its height has one for each call. */
    static final int WIDTH = 1_000;

    /** The narrowest part that can be seen, in the same units. */
    private static final double LEAST = 1;

    /** Where a call is. */
    enum Part {
        WAIT,
        THERE,
        WORK,
        BACK
    }

    /** @param d of an SVG path: a rectangle for each call */
    record Path(Part part, String d) {

        String name() {
            return part.name().toLowerCase(Locale.ROOT);
        }
    }

    /** @param summary the same in words */
    record Picture(String row, String total, int height, List<Path> paths, String summary) {}

    static WaterfallPictures of(List<TracedRequest> waterfalls) {
        double end =
                waterfalls.stream().mapToDouble(TracedRequest::micros).max().orElse(1);
        return new WaterfallPictures(
                waterfalls.stream().map(waterfall -> picture(waterfall, end)).toList(), end);
    }

    /** The scale's middle and end. */
    List<String> ticks() {
        return List.of(Numbers.seconds(end / 2e6), Numbers.seconds(end / 1e6));
    }

    private static Picture picture(TracedRequest waterfall, double end) {
        List<Path> paths = Arrays.stream(Part.values())
                .map(part -> new Path(part, path(waterfall.bars(), part, end)))
                .toList();
        return new Picture(
                waterfall.row(),
                Numbers.seconds(waterfall.micros() / 1e6),
                waterfall.bars().size(),
                paths,
                summary(waterfall));
    }

    private static String path(List<Bar> bars, Part part, double end) {
        StringBuilder path = new StringBuilder();
        for (int i = 0; i < bars.size(); i++) {
            double from = from(bars.get(i), part);
            double to = to(bars.get(i), part);
            boolean isKnown = bars.get(i).begun() != null;
            if (to > from || part == Part.WORK && isKnown) {
                path.append(String.format(
                        Locale.ROOT,
                        "M%.1f %d.1h%.1fv.8h-%3$.1fz",
                        WIDTH * from / end,
                        i,
                        Math.max(LEAST, WIDTH * (to - from) / end)));
            }
        }
        return path.toString();
    }

    /** Where nobody says when the responder worked, the whole call is one way. */
    private static double from(Bar bar, Part part) {
        return switch (part) {
            case WAIT -> 0;
            case THERE -> bar.sent();
            case WORK -> bar.begun() == null ? bar.ended() : bar.begun();
            case BACK -> bar.answered() == null ? bar.ended() : bar.answered();
        };
    }

    private static double to(Bar bar, Part part) {
        return switch (part) {
            case WAIT -> bar.sent();
            case THERE -> from(bar, Part.WORK);
            case WORK -> from(bar, Part.BACK);
            case BACK -> bar.ended();
        };
    }

    private static String summary(TracedRequest request) {
        List<Bar> known =
                request.bars().stream().filter(bar -> bar.begun() != null).toList();
        String work = known.isEmpty()
                ? "; its replies do not say when their responder worked."
                : ", of which its responder worked %s."
                        .formatted(middle(known, bar -> to(bar, Part.WORK) - from(bar, Part.WORK)));
        String clocks = request.clockOffsets().entrySet().stream()
                .filter(clock -> clock.getValue() != 0)
                .map(clock -> " The clock of %s was set by %s."
                        .formatted(clock.getKey(), Numbers.seconds(Math.abs(clock.getValue()) / 1e6)))
                .collect(Collectors.joining());
        return "Half of the calls were sent within %s; the median call took %s%s%s"
                .formatted(
                        middle(request.bars(), Bar::sent),
                        middle(request.bars(), bar -> bar.ended() - bar.sent()),
                        work,
                        clocks);
    }

    private static String middle(List<Bar> bars, ToDoubleFunction<Bar> micros) {
        double[] sorted = bars.stream().mapToDouble(micros).sorted().toArray();
        return Numbers.seconds(sorted[sorted.length / 2] / 1e6);
    }
}

package dev.chatterbox.report;

import static org.assertj.core.api.Assertions.assertThat;

import dev.chatterbox.workloads.Workload;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class AxisTests {

    private static Workload workload(String text) {
        return Workload.parse(text);
    }

    @Test
    void namesAWorkloadInWords() {
        Workload plain = workload("unary calls=1000 users=100");

        assertThat(Axis.text(plain)).isEqualTo("1,000 calls a request and 100 users");
        assertThat(Axis.brief(plain)).isEqualTo("1,000 calls, 100 users");
        assertThat(Axis.shape(plain)).isEqualTo("1,000 calls a request");
        assertThat(Axis.load(plain)).isEqualTo("100 users");
        assertThat(Axis.further(plain)).isEmpty();
        assertThat(Axis.brief(workload("unary calls=1 rate=70%"))).isEqualTo("1 call, 70 % of capacity");
        assertThat(Axis.brief(workload("unary calls=1 rate=63"))).isEqualTo("1 call, 63 requests/s");
        assertThat(Axis.brief(workload("unary calls=1 users=1 payload=1024 distance=5ms")))
                .isEqualTo("1 call, 1 user (1,024 bytes of payload, 5 ms of distance)");
    }

    /** What the text form has and no axis has would be missing from tables: two workloads would look the same. */
    @Test
    void tellsApartWhateverWorkloadsTellApart() {
        List<Workload> all = Workload.parseAll("unary calls=1,2 users=1,2 payload=0,1 distance=0ms,1ms;"
                + " unary calls=1,2 rate=1,2,50% payload=0,1 distance=0ms,1ms;"
                + " batch calls=1,2 size=1,2 users=1,2; stream calls=1,2 users=1,2");

        assertThat(all.stream()
                        .map(workload -> Stream.of(Axis.values())
                                .map(axis -> axis.value(workload))
                                .toList()))
                .doesNotHaveDuplicates();
        assertThat(all.stream().map(Axis::brief)).doesNotHaveDuplicates();
    }

    @Test
    void drawsLinesOverWhatAloneDiffers() {
        List<Workload> all =
                Workload.parseAll("unary calls=1,100 users=10,100; unary calls=100 users=10 payload=0,64,512;"
                        + " unary calls=7 users=7");

        assertThat(Axis.CALLS.lines(all).stream().map(Axis.AxisLine::title))
                .containsExactly("calls a request, 10 users", "calls a request, 100 users");
        assertThat(Axis.USERS.lines(all).stream().map(Axis.AxisLine::title))
                .containsExactly("users, 1 call a request", "users, 100 calls a request");
        assertThat(Axis.PAYLOAD.lines(all)).singleElement().satisfies(line -> {
            assertThat(line.title()).isEqualTo("bytes of payload, 100 calls a request, 10 users");
            assertThat(line.numbers()).as("0 is not on a logarithmic scale").containsExactly(64L, 512L);
            assertThat(line.levels()).as("beside them").containsExactly(workload("unary calls=100 users=10"));
            assertThat(line.axis().level(line.levels().get(0))).isEqualTo("at 0 bytes");
        });
        assertThat(Axis.DISTANCE.lines(all)).isEmpty();
        assertThat(Axis.RATE.lines(all)).isEmpty();
    }

    @Test
    void drawsDistancesBesideWhatHasNone() {
        List<Workload> all = Workload.parseAll("unary calls=100 users=10 distance=0,1,10");

        assertThat(Axis.DISTANCE.lines(all)).singleElement().satisfies(line -> {
            assertThat(line.title()).isEqualTo("milliseconds of distance, 100 calls a request, 10 users");
            assertThat(line.numbers()).containsExactly(1L, 10L);
            assertThat(line.levels()).containsExactly(Workload.parse("unary calls=100 users=10"));
            assertThat(line.axis().level(line.levels().get(0))).isEqualTo("at 0 ms");
        });
    }

    @Test
    void drawsBatchesOverTheirSizeBesideSingleCallsAndStreams() {
        List<Workload> all = Workload.parseAll(
                "unary calls=100 users=10; batch calls=100 size=1,10,100 users=10; stream calls=100 users=10");

        assertThat(Axis.SIZE.lines(all)).singleElement().satisfies(line -> {
            assertThat(line.title()).isEqualTo("calls a message, in batches, 100 calls a request, 10 users");
            assertThat(line.numbers()).containsExactly(1L, 10L, 100L);
            assertThat(line.levels())
                    .containsExactly(
                            Workload.parse("unary calls=100 users=10"), Workload.parse("stream calls=100 users=10"));
        });
        assertThat(all.stream().map(Axis::brief))
                .containsExactly(
                        "100 calls, 10 users",
                        "100 calls, 10 users (in batches, 1 call a message)",
                        "100 calls, 10 users (in batches, 10 calls a message)",
                        "100 calls, 10 users (in batches, 100 calls a message)",
                        "100 calls, 10 users (as a stream)");
    }

    @Test
    void putsLoadsOfOneShapeTogether() {
        List<Workload> all = Workload.parseAll("unary calls=1,100 users=10,100; unary calls=1 users=10 payload=64");

        assertThat(Axis.byShape(all).stream()
                        .map(loads -> loads.stream().map(Axis::load).toList()))
                .containsExactly(
                        List.of("10 users", "100 users"), List.of("10 users", "100 users"), List.of("10 users"));
    }
}

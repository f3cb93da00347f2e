package dev.chatterbox.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;
import static org.assertj.core.api.Assumptions.assumeThat;

import dev.chatterbox.cli.Commands.Result;
import dev.chatterbox.network.Toxiproxy;
import dev.chatterbox.processes.LocalHttp;
import dev.chatterbox.processes.Ports;
import dev.chatterbox.processes.ProcessException;
import dev.chatterbox.results.Cell;
import dev.chatterbox.results.Results;
import dev.chatterbox.results.ResultsFile;
import dev.chatterbox.results.Role;
import dev.chatterbox.results.RoundTrip;
import dev.chatterbox.stack.Control;
import dev.chatterbox.stack.Member;
import dev.chatterbox.stack.Repository;
import dev.chatterbox.stack.Stack;
import dev.chatterbox.variants.Variant;
import dev.chatterbox.workloads.Workload;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests the services of this checkout with a network between them. */
@Tag("long")
class DistanceIT {

    private static final Duration PATIENCE = Duration.ofMinutes(1);
    private static final int MILLIS = 5;

    private final Repository repository = Commands.builtCheckout();
    private final Commands commands = new Commands(repository);
    private final int offset = commands.freeOffset();
    private final Stack stack = repository.stack(offset);

    @TempDir
    Path directory;

    @BeforeAll
    static void needsToxiproxy() {
        Optional<String> whyUnavailable = whyUnavailable();
        whyUnavailable.ifPresent(reason -> System.out.printf("Skipped: the tests of the distance. %s%n", reason));
        assumeThat(whyUnavailable).isEmpty();
    }

    /** Also gets Toxiproxy, which takes a minute the first time. */
    private static Optional<String> whyUnavailable() {
        try {
            Toxiproxy.program().obtain();
            return Optional.empty();
        } catch (ProcessException e) {
            return Optional.of(e.line());
        }
    }

    @AfterEach
    void leavesNothing() throws IOException {
        run("down");
        commands.removeStack(offset);
    }

    /** This is one test, because each start of the system takes many seconds. */
    @Test
    void liesBetweenAllProcesses() throws IOException {
        List<Variant> variants = repository.variants().byDefault();
        succeed("up", "--distance", MILLIS + "ms");
        Member network = member("network");

        Result status = run("status");
        assertThat(status.exitCode()).as(status.output()).isZero();
        assertThat(status.output())
                .containsPattern("network +%d +%d .* up".formatted(network.pid(), network.port()))
                .contains("distance: %d ms".formatted(MILLIS));
        for (Variant variant : variants) {
            for (int n : new int[] {1, 5, 100, 1000}) {
                String path = "/" + variant.name() + "/square/unary/" + n;
                assertThat(LocalHttp.get(8080 + offset, path, PATIENCE))
                        .as(path)
                        .isEqualTo(new LocalHttp.Answer(200, SystemIT.squares(n)));
            }
            // A call waits for each link, and a variant with a broker has two.
            int links = variant.broker().isPresent() ? 2 : 1;
            assertThat(secondsOfOneCall(variant)).as(variant.name()).isGreaterThan(links * MILLIS / 1e3);
        }
        nobodyConnectsPastIt(network, variants);

        measuresAtWhatItIs();
        measuresAtOthersAndPutsItBack();
        assertThat(succeed("up", "--distance", "1ms")).contains("The added latency is now 1 ms");
        assertThat(stack.distanceMillis()).hasValue(1);

        stack.process(network).orElseThrow().stop(Duration.ZERO);
        assertThat(succeed("up")).contains("network is up again after");
        assertThat(member("network").port()).isEqualTo(network.port());
        assertThat(stack.distanceMillis()).hasValue(1);
        network = member("network");

        assertThat(succeed("down").lines())
                .last()
                .asString()
                .startsWith("stopped network (pid %d)".formatted(network.pid()));
        assertThat(Ports.owner(network.port())).isEmpty();
    }

    private void nobodyConnectsPastIt(Member network, List<Variant> variants) throws IOException {
        List<Integer> behind = new ArrayList<>();
        for (Variant variant : variants) {
            behind.add(
                    variant.broker().isPresent()
                            ? member(variant.broker().get().name()).port()
                            : member(variant.responder().orElseThrow().name()).port());
        }
        assertThat(Connections.remotePorts(network.pid())).containsAll(behind);
        for (Member member : stack.members()) {
            if (member.kind() != Member.Kind.NETWORK && !member.name().equals(Control.NAME)) {
                assertThat(Connections.remotePorts(member.pid()))
                        .as(member.name())
                        .isNotEmpty()
                        .doesNotContainAnyElementsOf(behind);
            }
        }
    }

    private void measuresAtWhatItIs() throws IOException {
        Results results = compare("as-it-is");

        assertThat(rest(results)).hasSize(1).allSatisfy(cell -> isMeasured(cell, MILLIS));
        assertThat(results.roundTrips())
                .extracting(RoundTrip::link, RoundTrip::distanceMillis)
                .containsExactly(tuple("square-service-rest", MILLIS));
    }

    private void measuresAtOthersAndPutsItBack() throws IOException {
        Results results = compare("others", "--workload", "unary calls=1 users=4 distance=0ms,10ms");

        assertThat(rest(results)).hasSize(2);
        isMeasured(rest(results).get(0), 0);
        isMeasured(rest(results).get(1), 10);
        for (RoundTrip trip : results.roundTrips()) {
            // The value is the median of twenty round trips minus the median of twenty others, and a busy machine
            // delays them.
            assertThat(trip.idleSeconds())
                    .as(trip.toString())
                    .isBetween((trip.distanceMillis() - 3) / 1e3, (trip.distanceMillis() + 8) / 1e3);
        }
        assertThat(Files.readString(directory.resolve("others/summary.md"))).contains("| net |", "| 10.0 ms |");
        assertThat(stack.distanceMillis()).isEqualTo(OptionalInt.of(MILLIS));
    }

    private static void isMeasured(Cell cell, int millis) {
        assertThat(cell.valid()).as(cell.toString()).isTrue();
        assertThat(cell.workload()).isEqualTo(Workload.parse("calls=1 users=4 distance=%d".formatted(millis)));
        assertThat(cell.requestLatency().p50()).isGreaterThan(millis / 1e3);
        assertThat(cell.cpuMicros(Role.NETWORK)).isFinite();
        assertThat(cell.memory().get(Role.NETWORK)).isPositive();
    }

    /** The cells of the variant rest, and not those of the variant without a transport. */
    private static List<Cell> rest(Results results) {
        return results.cells().stream()
                .filter(cell -> cell.variant().equals("rest"))
                .toList();
    }

    private Results compare(String name, String... more) throws IOException {
        Path out = directory.resolve(name);
        List<String> options = new ArrayList<>(List.of("--preset", "smoke", "--transports", "rest", "--calls", "1"));
        // The time is long enough for a median of twenty requests on a busy machine, too.
        options.addAll(List.of("--time", "5s", "--out", out.toString()));
        options.addAll(List.of(more));
        succeed("compare", options.toArray(String[]::new));
        return ResultsFile.read(out);
    }

    private double secondsOfOneCall(Variant variant) throws IOException {
        long begun = System.nanoTime();
        LocalHttp.get(8080 + offset, "/" + variant.name() + "/square/unary/1", PATIENCE);
        return (System.nanoTime() - begun) / 1e9;
    }

    private Member member(String name) {
        return stack.members().stream()
                .filter(member -> member.name().equals(name))
                .findFirst()
                .orElseThrow();
    }

    private String succeed(String command, String... more) {
        Result result = run(command, more);
        assertThat(result.exitCode()).as(result.output()).isZero();
        return result.output();
    }

    private Result run(String command, String... more) {
        List<String> arguments = new ArrayList<>(List.of(command, "--port-offset", Integer.toString(offset)));
        arguments.addAll(List.of(more));
        return commands.run(Map.of(), arguments.toArray(String[]::new));
    }
}

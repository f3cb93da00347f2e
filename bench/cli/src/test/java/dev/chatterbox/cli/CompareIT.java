package dev.chatterbox.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.chatterbox.cli.Commands.Result;
import dev.chatterbox.processes.Proc;
import dev.chatterbox.processes.programs.Cache;
import dev.chatterbox.results.Cell;
import dev.chatterbox.results.Counts;
import dev.chatterbox.results.Results;
import dev.chatterbox.results.ResultsFile;
import dev.chatterbox.results.Role;
import dev.chatterbox.results.SliceFigures;
import dev.chatterbox.stack.Member;
import dev.chatterbox.stack.Repository;
import dev.chatterbox.variants.Variant;
import dev.chatterbox.workloads.Workload;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Comparisons as a user makes them, with the services, the brokers and the load generator of this checkout, on a stack
 * that already runs.
 */
@Tag("long")
class CompareIT {

    private final Repository repository = Commands.builtCheckout();
    private final Commands commands = new Commands(repository);

    @TempDir
    Path directory;

    private Path out;
    private List<Member> members;

    @BeforeEach
    void start() {
        out = directory.resolve("results");
        members = RealStack.stack().members();
    }

    @AfterEach
    void leavesTheStackAsItWas() {
        assertThat(RealStack.stack().members())
                .isEqualTo(members)
                .allSatisfy(
                        member -> assertThat(RealStack.stack().process(member)).isPresent());
        assertThat(Commands.generators(repository)).isEmpty();
    }

    @Test
    void findsEveryCallAgain() throws IOException {
        Result result = compare();

        assertThat(result.exitCode()).as(result.output()).isZero();
        assertThat(result.output())
                .contains("Using the stack that runs", "CPU-µs", "Report: " + out.resolve("report.html"));
        assertThat(table(result)).allSatisfy(line -> assertThat(line).hasSizeLessThanOrEqualTo(100));
        Results results = ResultsFile.read(out);
        List<Variant> variants = repository.variants().byDefault();
        Counts counts = results.counts();
        assertThat(counts.agree()).isTrue();
        for (Variant variant : variants) {
            assertThat(counts.generatorCalls().get(variant.name()))
                    .isPositive()
                    .isEqualTo(counts.aggregatorCalls().get(variant.name()))
                    // The responder also counts the calls of the bare client.
                    .isLessThan(counts.responderSquares()
                            .get(variant.responder().orElseThrow().name()));
        }
        // The cells also have the variant without a transport, and there is a bare client for each variant.
        assertThat(results.cells().stream().filter(cell -> !cell.bare())).hasSize(2 * (variants.size() + 1));
        assertThat(results.bareClients()).hasSize(variants.size());
        assertThat(results.cells()).allSatisfy(cell -> {
            assertThat(cell.valid()).as(cell.toString()).isTrue();
            assertThat(cell.slices()).allSatisfy(slice -> {
                assertThat(slice.requests()).isPositive();
                assertThat(slice.systemNanos()).isPositive();
                assertThat(slice.requests()).isEqualTo(cell.requestsPerSlice());
            });
            Variant variant = repository.variants().find(cell.variant()).orElseThrow();
            assertThat(Double.isFinite(cell.cpuMicros(Role.RESPONDER)))
                    .isEqualTo(variant.responder().isPresent());
            assertThat(Double.isFinite(cell.cpuMicros(Role.BROKER)))
                    .isEqualTo(variant.broker().isPresent());
        });
        assertThat(results.cells().stream().filter(cell -> !cell.bare())).allSatisfy(cell -> {
            assertThat(cell.doubts()).as("nothing is warm").isNotEmpty();
            assertThat(cell.requestLatency().max()).isPositive();
            assertThat(cell.cpuMicros(Role.GENERATOR)).isFinite();
            assertThat(cell.cpuMicros(Role.AGGREGATOR)).isFinite();
            assertThat(cell.memory().get(Role.AGGREGATOR)).isPositive();
        });
        assertThat(results.idleCpu()).containsKey("aggregator-service");
        assertThat(results.environment().text("/machine/cpu")).isPresent();
        // A weakness may be mitigated, and a part of it not affect the processor.
        List<Path> weaknesses = Cache.list(Path.of("/sys/devices/system/cpu/vulnerabilities"));
        assertThat(results.environment().text("/machine/mitigations").orElse("").lines())
                .hasSize((int) weaknesses.stream()
                        .map(file -> Proc.text(file.toString()).orElseThrow().strip())
                        .filter(text -> !text.equals("Not affected"))
                        .count());
        assertThat(results.environment().text("/versions/gatling-core").orElseThrow())
                .matches("3[0-9.]+");
        assertThat(out.resolve("report.html")).isNotEmptyFile();
        assertThat(out.resolve("summary.md"))
                .content()
                .contains(variants.stream().map(Variant::name).toList());
        assertThat(Files.readAllLines(out.resolve("results.csv")))
                .hasSizeGreaterThan(results.cells().size());
    }

    /** One variant is enough for this test, and any variant will do. */
    @Test
    void measuresTheOpenModel() throws IOException {
        String first = repository.variants().byDefault().get(0).name();

        Result result = compare("--transports", first, "--rate", "20", "--calls", "5", "--time", "5s");

        assertThat(result.exitCode()).as(result.output()).isZero();
        assertThat(ResultsFile.read(out).cells().stream().filter(cell -> !cell.bare()))
                .isNotEmpty()
                .allSatisfy(cell -> {
                    assertThat(cell.workload()).isEqualTo(Workload.parse("unary calls=5 rate=20"));
                    SliceFigures slice = cell.slices().get(0);
                    assertThat(slice.requests() / slice.seconds()).isBetween(10.0, 30.0);
                });
    }

    /**
     * Each fault is in another responder. A dropped call holds its user up until the deadline, so the same responder
     * would get few other calls.
     */
    @Test
    void catchesRespondersThatDropCallsAnswerWrongAndAreSlow() throws Exception {
        List<Variant> variants = repository.variants().byDefault();
        Variant drops = variants.get(0);
        Variant lies = variants.get(1);
        Variant dawdles = variants.get(2);
        try {
            setFaults(drops, "{\"drop\":0.02}");
            setFaults(lies, "{\"wrong\":0.01}");
            setFaults(dawdles, "{\"delay\":\"50ms\"}");
            Result result = compare("--calls", "10", "--time", "30s");

            assertThat(result.exitCode()).as(result.output()).isOne();
            assertThat(ResultsFile.read(out).cells())
                    .filteredOn(cell ->
                            variants.stream().map(Variant::name).toList().contains(cell.variant()))
                    .hasSizeGreaterThanOrEqualTo(variants.size())
                    .noneMatch(Cell::valid);
        } finally {
            for (Variant variant : List.of(drops, lies, dawdles)) {
                setFaults(variant, "{\"delay\":\"0ms\",\"drop\":0,\"wrong\":0}");
            }
        }
        assertThat(reasons(drops))
                .anyMatch(reason -> reason.matches("\\d+ of the requests failed \\(.*http-504: \\d+.*"))
                .anyMatch(reason -> reason.matches("\\d+ calls ended as timeout"));
        assertThat(reasons(lies))
                .anyMatch(reason -> reason.matches("\\d+ of the requests failed \\(.*http-502: \\d+.*"))
                .anyMatch(reason -> reason.matches("\\d+ calls ended as wrong"));
        assertThat(reasons(dawdles)).contains("the responder fails on demand: delay 0.05 s");
        assertThat(cell(dawdles).requestLatency().max()).isGreaterThan(0.05);
    }

    @Test
    void saysHowToStartAStackThatHasANetwork() {
        Result result = compare("--transports", "rest", "--workload", "unary calls=1 users=1 distance=0ms,7ms,1ms");

        assertThat(result.exitCode()).as(result.output()).isEqualTo(2);
        assertThat(result.output())
                .contains("without a network between its processes")
                .contains("down --port-offset %d && ./chatterbox up --port-offset %1$d --transports rest --distance 7ms"
                        .formatted(RealStack.offset()));
        assertThat(commands.run("up", "--port-offset", Integer.toString(RealStack.offset()), "--distance", "7ms")
                        .output())
                .contains("without a network between its processes");
    }

    private Cell cell(Variant variant) throws IOException {
        return ResultsFile.read(out).cells().stream()
                .filter(cell -> !cell.bare() && cell.variant().equals(variant.name()))
                .findFirst()
                .orElseThrow();
    }

    /** The reasons why slices of the variant do not count. */
    private List<String> reasons(Variant variant) throws IOException {
        assertThat(cell(variant).valid()).isFalse();
        List<String> reasons = cell(variant).slices().stream()
                .flatMap(slice -> slice.reasons().stream())
                .toList();
        assertThat(reasons).anyMatch(reason -> reason.startsWith("the responder fails on demand: "));
        return reasons;
    }

    private void setFaults(Variant variant, String faults) throws Exception {
        String responder = variant.responder().orElseThrow().name();
        int port = members.stream()
                .filter(member -> member.name().equals(responder))
                .findFirst()
                .orElseThrow()
                .port();
        HttpRequest request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + "/faults"))
                .header("Authorization", "Bearer " + RealStack.stack().state().faultsToken())
                .header("Content-Type", "application/json")
                .PUT(HttpRequest.BodyPublishers.ofString(faults))
                .build();
        HttpResponse<String> answer = HttpClient.newHttpClient().send(request, HttpResponse.BodyHandlers.ofString());
        assertThat(answer.statusCode()).as(answer.body()).isBetween(200, 204);
    }

    private Result compare(String... more) {
        List<String> arguments = new ArrayList<>(List.of(
                "compare",
                "--preset",
                "smoke",
                "--port-offset",
                Integer.toString(RealStack.offset()),
                "--out",
                out.toString()));
        arguments.addAll(Arrays.asList(more));
        return commands.run(Map.of(), arguments.toArray(String[]::new));
    }

    private static List<String> table(Result result) {
        return result.output()
                .lines()
                .dropWhile(line -> !line.contains("CPU-µs per call"))
                .takeWhile(line -> !line.startsWith("Report"))
                .toList();
    }
}

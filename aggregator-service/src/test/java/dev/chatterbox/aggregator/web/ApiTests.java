package dev.chatterbox.aggregator.web;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.springframework.test.util.ReflectionTestUtils.getField;
import static org.springframework.test.util.ReflectionTestUtils.setField;

import dev.chatterbox.aggregator.Http;
import dev.chatterbox.aggregator.Squares;
import dev.chatterbox.aggregator.fanout.Transports;
import dev.chatterbox.client.Deviation;
import dev.chatterbox.client.Outcome;
import dev.chatterbox.client.ScriptedClient;
import dev.chatterbox.client.ScriptedClient.Call;
import dev.chatterbox.transport.CallWork;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.boot.test.web.server.LocalServerPort;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The HTTP API over transports without a broker: one answers by itself, and a test answers the calls of the other. */
@SpringBootTest(
        webEnvironment = SpringBootTest.WebEnvironment.RANDOM_PORT,
        properties = {
            "chatterbox.transports=memory,scripted,rest",
            "chatterbox.disabled.rest=there is no network",
            "chatterbox.max-calls=46341",
            "chatterbox.concurrency-per-request=4",
            "chatterbox.max-requests=3"
        })
class ApiTests {

    private static final Duration PATIENCE = Duration.ofMinutes(1);

    @LocalServerPort
    private int port;

    @Autowired
    private ScriptedClient scripted;

    @Autowired
    private Transports transports;

    private Http http() {
        return new Http(port);
    }

    @AfterEach
    void nothingIsLeftBehind() {
        await().atMost(PATIENCE)
                .untilAsserted(() ->
                        assertThat(http().metric("chatterbox_calls_in_flight")).isZero());
        scripted.calls.clear();
    }

    @Test
    void answersWithOneArrayOfKnownLength() {
        HttpResponse<String> answer = http().get("/memory/square/unary/5");
        assertThat(answer.statusCode()).isEqualTo(200);
        assertThat(answer.body()).isEqualTo("[{\"1\":1},{\"2\":4},{\"3\":9},{\"4\":16},{\"5\":25}]");
        assertThat(answer.headers().map())
                .containsEntry("content-type", List.of("application/json"))
                .containsEntry("content-length", List.of("43"))
                .doesNotContainKey("transfer-encoding");
    }

    @Test
    void squaresIn64Bits() {
        assertThat(http().get("/memory/square/unary/46341").body())
                .isEqualTo(Squares.array(46341))
                .endsWith("{\"46341\":2147488281}]");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "0",
                "-1",
                "1.5",
                "abc",
                "46342",
                "99999999999999999999",
                "0x10",
                "+5",
                "%D9%A5",
                "%205",
                "5%20",
                "05",
                "1e3"
            })
    void refusesWhatIsNoNumberOfCalls(String n) {
        HttpResponse<String> answer = http().get("/memory/square/unary/" + n);
        assertThat(answer.statusCode()).isEqualTo(400);
        assertThat(answer.headers().firstValue("content-type")).hasValue("application/problem+json");
        assertThat(answer.body()).contains("\"status\":400", "from 1 to 46341", "\"title\":\"Bad Request\"");
    }

    @ParameterizedTest
    @CsvSource({"5,?size=2", "5,?size=5", "5,?size=10000", "100,''", "101,''", "46341,?size=9999", "7,?size=1"})
    void aBatchIsAnsweredWithTheSameBytes(int n, String query) {
        HttpResponse<String> answer = http().get("/memory/square/batch/" + n + query);
        assertThat(answer.statusCode()).isEqualTo(200);
        assertThat(answer.body()).isEqualTo(Squares.array(n));
        assertThat(answer.headers().map())
                .containsEntry("content-length", List.of("" + answer.body().length()));
    }

    @Test
    void aBatchIsMadeOfMessagesOfAHundredUnlessToldOtherwise() throws Exception {
        CompletableFuture<HttpResponse<String>> answer = http().getAsync("/scripted/square/batch/250");
        List<Call> calls = List.of(next(), next(), next());
        assertThat(calls).extracting(call -> call.request().count()).containsExactly(100, 100, 50);
        calls.forEach(Call::right);
        assertThat(answer.get(60, TimeUnit.SECONDS).body()).isEqualTo(Squares.array(250));
    }

    @Test
    void theLinesOfABatchComeTogetherAsItsReplyComes() throws Exception {
        try (Socket socket = new Http(port).open("/scripted/square/batch/5?size=3", "Accept: application/x-ndjson")) {
            BufferedReader reader = new BufferedReader(new InputStreamReader(socket.getInputStream()));
            List<Call> calls = List.of(next(), next());
            calls.get(1).right();
            assertThat(nextLine(reader)).isEqualTo("{\"4\":16}");
            assertThat(nextLine(reader)).isEqualTo("{\"5\":25}");
            calls.get(0).right();
            assertThat(nextLine(reader)).isEqualTo("{\"1\":1}");
        }
    }

    @Test
    void aStreamIsAnsweredWithTheSameBytes() throws Exception {
        CompletableFuture<HttpResponse<String>> answer = http().getAsync("/scripted/square/stream/3");
        List<Call> calls = List.of(next(), next(), next());
        calls.get(2).right();
        calls.get(0).right();
        calls.get(1).right();
        assertThat(answer.get(60, TimeUnit.SECONDS).body()).isEqualTo(Squares.array(3));
    }

    @ParameterizedTest
    @CsvSource({"unary/5?payload=0", "unary/5?payload=1024", "batch/250?payload=131072&size=10", "batch/3?payload=1"})
    void aPayloadIsNotInTheAnswer(String path) {
        HttpResponse<String> answer = http().get("/memory/square/" + path);
        assertThat(answer.statusCode()).isEqualTo(200);
        assertThat(answer.body()).startsWith("[{\"1\":1},{\"2\":4},{\"3\":9}");
    }

    @Test
    void thePayloadIsInEachInput() throws Exception {
        CompletableFuture<HttpResponse<String>> answer = http().getAsync("/scripted/square/unary/1?payload=77");
        Call call = next();
        assertThat(call.request().input().getPayload().size()).isEqualTo(77);
        call.fail(Outcome.WRONG);
        assertThat(answer.get(60, TimeUnit.SECONDS).statusCode()).isEqualTo(502);
    }

    @ParameterizedTest
    @CsvSource({
        "unary/1?burn=200us&wait=2ms, 200, 2000",
        "unary/1?burn=10ms, 10000, 0",
        "batch/9?wait=1s&size=9, 0, 1000000",
    })
    void theWorkIsInEachCall(String path, int burnMicros, int waitMicros) throws Exception {
        CompletableFuture<HttpResponse<String>> answer = http().getAsync("/scripted/square/" + path);
        Call call = next();
        assertThat(call.request().work()).isEqualTo(new CallWork(burnMicros, waitMicros));
        call.right();
        assertThat(answer.get(60, TimeUnit.SECONDS).statusCode()).isEqualTo(200);
    }

    @ParameterizedTest
    @ValueSource(strings = {"unary/5?burn=1ms&wait=200ms", "batch/5?size=2&wait=200ms"})
    void aRequestWhoseCallsWaitIsAnsweredLater(String path) {
        long start = System.nanoTime();
        assertThat(http().get("/memory/square/" + path).body()).isEqualTo(Squares.array(5));
        assertThat(Duration.ofNanos(System.nanoTime() - start)).isGreaterThanOrEqualTo(Duration.ofMillis(200));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "batch/5?size=0|size must be one whole number from 1 to 10000",
                "batch/5?size=10001|size must be one whole number from 1 to 10000",
                "batch/5?size=01|it is '01'",
                "batch/5?size=|it is ''",
                "batch/5?size|it is ''",
                "batch/5?size=5&size=6|it is '5, 6'",
                "batch/5?size=99999999999|from 1 to 10000",
                "batch/5?payload=131073|payload must be one whole number from 0 to 131072",
                "unary/5?payload=-1|payload must be one whole number from 0 to 131072",
                "unary/5?payload=1k|it is '1k'",
                "unary/5?burn=10001us|burn must be 0us to 10ms, such as 200us or 2ms, but it is '10001us'",
                "batch/5?burn=5|burn must be 0us to 10ms, such as 200us or 2ms, but it is '5'",
                "stream/5?wait=1001ms|wait must be 0us to 1s, such as 200us or 2ms, but it is '1001ms'",
                "unary/5?wait=1ms&wait=2ms|but it is '1ms, 2ms'",
                "unary/5?wait=|but it is ''",
                "unary/1001?burn=10ms|the calls of a request may burn 10s together, but it would be 10010ms",
                "unary/5?size=5|There is no parameter 'size' of the call mode unary; there is: payload, burn, wait",
                "batch/5?sizes=5|There is no parameter 'sizes' of the call mode batch; there is: size, payload, burn, wait",
                "stream/5?size=5|There is no parameter 'size' of the call mode stream; there is: payload, burn, wait",
                "batch/0?size=5|n must be a whole number from 1 to 46341",
                "batch/10000?size=10000&payload=131072|chatterbox.payload-heap-share",
            })
    void saysWhatWouldBeRight(String path, String detail) {
        HttpResponse<String> answer = http().get("/scripted/square/" + path);
        assertThat(answer.statusCode()).isEqualTo(400);
        assertThat(answer.headers().firstValue("content-type")).hasValue("application/problem+json");
        assertThat(answer.body()).contains(detail);
        assertThat(scripted.calls).isEmpty();
    }

    /** This error comes first, whatever else is wrong. */
    @ParameterizedTest
    @CsvSource({"memory,stream/5", "memory,queue/5", "memory,pigeon/5", "memory,Unary/abc", "memory,pigeon/5?size=0"})
    void aCallModeThatAVariantHasNotIsToldWithThoseThatItHas(String transport, String path) {
        HttpResponse<String> answer = http().get("/" + transport + "/square/" + path);
        assertThat(answer.statusCode()).isEqualTo(404);
        assertThat(answer.headers().firstValue("content-type")).hasValue("application/problem+json");
        assertThat(answer.body()).contains("has no call mode '" + path.split("/")[0] + "'; it has: unary, batch");
    }

    /** A GET that published messages changed state. */
    @Test
    void oneWayMessagesAreGoneAndTheCommandIsNamed() {
        HttpResponse<String> answer = http().get("/scripted/square/queue/5");
        assertThat(answer.statusCode()).isEqualTo(410);
        assertThat(answer.body()).contains("./chatterbox compare --workload 'queue calls=10000' --transports scripted");
        assertThat(scripted.calls).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"5", "abc"})
    void anUnknownTransportWinsOverABadNumber(String n) {
        HttpResponse<String> answer = http().get("/pigeon/square/unary/" + n);
        assertThat(answer.statusCode()).isEqualTo(404);
        assertThat(answer.headers().firstValue("content-type")).hasValue("application/problem+json");
        assertThat(answer.body()).contains("There is no transport 'pigeon'; there are: memory, rest, scripted");
    }

    @Test
    void saysHowToStartATransportThatIsNotStarted() {
        HttpResponse<String> answer = http().get("/nats-jnats/square/unary/5");
        assertThat(answer.statusCode()).isEqualTo(404);
        assertThat(answer.body())
                .contains(
                        "The transport 'nats-jnats' is not started",
                        "./chatterbox up --transports nats-jnats",
                        "CHATTERBOX_TRANSPORTS",
                        "there are: memory, rest, scripted");
    }

    @ParameterizedTest
    @CsvSource({
        "/,200",
        "/page/page.js,200",
        "/page,404",
        "/actuator/health,200",
        "/actuator/info,200",
        "/actuator/prometheus,200",
        "/actuator,404",
        "/actuator/env,404",
        "/actuator/beans,404",
        "/actuator/heapdump,404",
        "/nothing,404",
        "/memory/square/unary,404"
    })
    void showsWhatIsPublicAndNothingElse(String path, int status) {
        HttpResponse<String> answer = http().get(path);
        assertThat(answer.statusCode()).isEqualTo(status);
        if (status == 404) {
            assertThat(answer.headers().firstValue("content-type")).hasValue("application/problem+json");
        }
    }

    @ParameterizedTest
    @CsvSource({
        "/,text/html",
        "/index.html,text/html",
        "/page/page.js,text/javascript",
        "/page/page.css,text/css",
        "/page/icon.svg,image/svg+xml"
    })
    void aPageLoadsFromItsOwnHostOnlyAndRunsNothingThatStandsInIt(String path, String type) {
        HttpResponse<String> answer = http().get(path);
        assertThat(answer.headers().allValues("content-security-policy"))
                .singleElement()
                .asString()
                .contains("default-src 'none'", "script-src 'self'", "style-src 'self'", "frame-ancestors 'none'")
                .doesNotContain("unsafe", "http", "data:", "*");
        assertThat(answer.headers().map())
                .containsEntry("content-type", List.of(type))
                .containsEntry("x-content-type-options", List.of("nosniff"))
                .containsEntry("cache-control", List.of("no-store"));
    }

    /** The content security policy would keep a browser from running them. */
    @Test
    void thePageHasNoScriptOrStyleInIt() {
        assertThat(http().get("/").body())
                .contains("<script src=")
                .doesNotContainPattern("<script(?![^>]* src=)")
                .doesNotContainPattern("(?i)<style|\\sstyle=|\\son[a-z]+=|javascript:|https?://");
    }

    /** An instance that begins with two slashes would be a page of the host after them. */
    @ParameterizedTest
    @CsvSource({"//,/", "//nats/square/unary/5,/nats/square/unary/5", "///a,/a"})
    void aProblemIsOfThisHostWhateverItsPath(String path, String instance) {
        HttpResponse<String> answer = http().get(path);
        assertThat(answer.statusCode()).isBetween(400, 499);
        assertThat(answer.body()).contains("\"instance\":\"%s\"".formatted(instance));
    }

    /** Java's client would not send such a query. */
    @ParameterizedTest
    @ValueSource(strings = {"/memory/square/unary/5?payload=1|2", "/transports?%zz"})
    void aQueryThatIsNoneIsAProblemToo(String path) throws IOException {
        assertThat(answerTo(path)).startsWith("HTTP/1.1 400 ").contains("application/problem+json", "its query is not");
    }

    @Test
    void theCookiesOfOtherApplicationsDoNoHarm() throws IOException {
        assertThat(answerTo("/transports", "Cookie: a=" + "b".repeat(16_384))).startsWith("HTTP/1.1 200 ");
        assertThat(answerTo("/transports", "Cookie: a=" + "b".repeat(33_000)))
                .startsWith("HTTP/1.1 431 ")
                .contains("application/problem+json", "the headers are too large");
    }

    /** All that comes until the server or this client closes the connection. */
    private String answerTo(String path, String... headers) throws IOException {
        try (Socket socket = http().open(
                        path,
                        Stream.concat(Stream.of(headers), Stream.of("Connection: close"))
                                .toArray(String[]::new))) {
            return new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"POST", "PUT", "DELETE", "HEAD"})
    void onlyGets(String method) {
        HttpResponse<String> answer = http().send(method, "/scripted/square/unary/5");
        assertThat(answer.statusCode()).isEqualTo(405);
        assertThat(answer.headers().firstValue("allow")).hasValue("GET");
        assertThat(scripted.calls).isEmpty();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "*/*|application/json",
                "application/*|application/json",
                "text/html,*/*;q=0.8|application/json",
                "application/x-ndjson|application/x-ndjson",
                "application/x-ndjson,*/*;q=0.1|application/x-ndjson",
                "application/json;q=0.2,application/x-ndjson|application/x-ndjson",
                "application/json,application/x-ndjson;q=0.2|application/json",
                "text/html|application/problem+json",
                "application/json;q=0|application/problem+json",
                "rubbish|application/problem+json"
            })
    void answersInTheFormThatIsAskedFor(String accept, String type) {
        HttpResponse<String> answer = http().get("/memory/square/unary/2", "Accept", accept);
        assertThat(answer.headers().firstValue("content-type")).hasValue(type);
        assertThat(answer.statusCode()).isEqualTo(type.contains("problem") ? 406 : 200);
    }

    /** Spring sorts so many media types only. */
    @Test
    void anAcceptThatIsTooLongIsNotAcceptable() {
        String accept = String.join(",", Collections.nCopies(51, "text/html"));
        assertThat(http().get("/memory/square/unary/2", "Accept", accept).statusCode())
                .isEqualTo(406);
    }

    @Test
    void linesComeInOrderOfCompletionAsTheyCome() throws Exception {
        try (Socket socket = lines(3)) {
            BufferedReader reader = new BufferedReader(new InputStreamReader(socket.getInputStream()));
            List<Call> calls = List.of(next(), next(), next());
            calls.get(2).right();
            assertThat(nextLine(reader)).isEqualTo("{\"3\":9}");
            calls.get(0).right();
            assertThat(nextLine(reader)).isEqualTo("{\"1\":1}");
            calls.get(1).right();
            assertThat(nextLine(reader)).isEqualTo("{\"2\":4}");
        }
    }

    @Test
    void aFailureAfterTheFirstLineIsTheLastLine() throws Exception {
        CompletableFuture<HttpResponse<String>> answer =
                http().getAsync("/scripted/square/unary/2", "Accept", "application/x-ndjson");
        next().right();
        next().fail(Outcome.TIMEOUT);
        assertThat(answer.get(60, TimeUnit.SECONDS).statusCode()).isEqualTo(200);
        // nginx would otherwise pass on what fills its buffer.
        assertThat(answer.get().headers().firstValue("x-accel-buffering")).hasValue("no");
        assertThat(answer.get().body().lines()).first().isEqualTo("{\"1\":1}");
        assertThat(answer.get().body().lines().toList().get(1))
                .startsWith("{\"error\":{")
                .contains("\"status\":504", "scripted timeout")
                .endsWith("}}");
    }

    @Test
    void aFailureBeforeTheFirstLineIsAProblem() throws Exception {
        CompletableFuture<HttpResponse<String>> answer =
                http().getAsync("/scripted/square/unary/2", "Accept", "application/x-ndjson");
        next();
        next().fail(Outcome.TIMEOUT);
        assertThat(answer.get(60, TimeUnit.SECONDS).statusCode()).isEqualTo(504);
        assertThat(answer.get().headers().firstValue("content-type")).hasValue("application/problem+json");
    }

    @ParameterizedTest
    @CsvSource({"TIMEOUT,504", "UNAVAILABLE,503", "WRONG,502", "ERROR,502"})
    void oneFailedCallFailsTheRequest(Outcome outcome, int status) throws Exception {
        CompletableFuture<HttpResponse<String>> answer = http().getAsync("/scripted/square/unary/10");
        next().right();
        next().fail(outcome);
        HttpResponse<String> response = answer.get(60, TimeUnit.SECONDS);
        assertThat(response.statusCode()).isEqualTo(status);
        assertThat(response.headers().firstValue("content-type")).hasValue("application/problem+json");
        assertThat(response.headers().firstValue("retry-after").isPresent()).isEqualTo(status == 503);
        assertThat(response.body()).contains("scripted " + outcome.tag());
    }

    @ParameterizedTest
    @ValueSource(strings = {"application/json", "application/x-ndjson"})
    void aClientThatGoesAwayCancelsItsCalls(String accept) throws Exception {
        int before = scripted.cancelled.get();
        try (Socket socket = new Http(port).open("/scripted/square/unary/100", "Accept: " + accept)) {
            next();
            await().atMost(PATIENCE).until(() -> scripted.calls.size() == 3);
        }
        await().atMost(PATIENCE)
                .untilAsserted(() -> assertThat(scripted.cancelled).hasValue(before + 4));
    }

    @Test
    void moreRequestsThanAreAdmittedAreRefused() {
        List<CompletableFuture<HttpResponse<String>>> held = List.of(
                http().getAsync("/scripted/square/unary/1"),
                http().getAsync("/scripted/square/unary/1"),
                http().getAsync("/scripted/square/unary/1"));
        await().atMost(PATIENCE).until(() -> scripted.calls.size() == 3);
        HttpResponse<String> refused = http().get("/memory/square/unary/1");
        assertThat(refused.statusCode()).isEqualTo(503);
        assertThat(refused.headers().firstValue("retry-after")).hasValue("1");
        assertThat(refused.body()).contains("3 requests are being answered already (chatterbox.max-requests)");
        scripted.calls.forEach(Call::right);
        held.forEach(answer -> assertThat(answer).succeedsWithin(PATIENCE));
        assertThat(http().get("/memory/square/unary/1").statusCode()).isEqualTo(200);
    }

    @Test
    void listsTheTransportsThatArePresent() {
        String listed = http().get("/transports").body();
        assertThat(listed)
                .contains("{\"name\":\"memory\",\"kind\":\"memory\",\"state\":\"up\",\"about\":\"no transport: ")
                .contains("\"deviations\":[\"" + Deviation.SHOWS_NO_OUTAGE.sentence() + "\"]")
                .contains(
                        "\"modes\":[\"unary\",\"batch\"],\"settings\":{\"outlives\":\"nothing\",\"largest message\":\"none\","
                                + "\"bounds.per-request\":4,\"bounds.in-flight\":2048,\"bounds.inputs-per-request\":10000,"
                                + "\"bounds.inputs-in-flight\":100000,\"bounds.bytes-per-request\":")
                .contains("{\"name\":\"rest\",\"kind\":\"direct\",\"state\":\"disabled\",")
                .contains("\"reason\":\"there is no network\"", "\"responder\":\"square-service-rest\"")
                .doesNotContain("\"name\":\"nats\"");
    }

    @ParameterizedTest
    @ValueSource(strings = {"/transports", "/transports/memory/latency"})
    void answersHeadAsGetWithoutTheBody(String path) {
        HttpResponse<String> answer = http().send("HEAD", path);
        assertThat(answer.statusCode()).isEqualTo(200);
        assertThat(answer.headers().firstValue("content-type")).hasValue("application/json");
        assertThat(answer.body()).isEmpty();
    }

    @Test
    @ExtendWith(OutputCaptureExtension.class)
    void endsTheConnectionOfAUserWhoDoesNotReadWhenTooMuchWaits(CapturedOutput output) throws Exception {
        Object unread = requireNonNull(getField(requireNonNull(transports.find("memory")), "unread"));
        Object most = requireNonNull(getField(unread, "mostBytes"));
        setField(unread, "mostBytes", 1_000_000L);
        try (Socket silent = new Socket()) {
            silent.setReceiveBufferSize(4_096);
            silent.connect(new InetSocketAddress("127.0.0.1", port));
            silent.getOutputStream()
                    .write(("GET /memory/square/unary/46341 HTTP/1.1\r\nHost: localhost\r\n"
                                    + "Accept: application/x-ndjson\r\n\r\n")
                            .getBytes(StandardCharsets.US_ASCII));
            await().atMost(PATIENCE)
                    .until(() -> output.getOut().contains("Ends the connection of a user who does not read"));

            assertThat(http().get("/memory/square/unary/3", "Accept", "application/x-ndjson")
                            .body())
                    .endsWith("{\"3\":9}\n");
            // What the system's buffers hold still comes, and then the end, which a connection that is kept does not
            // have.
            silent.setSoTimeout((int) PATIENCE.toMillis());
            assertThat(new String(silent.getInputStream().readAllBytes(), StandardCharsets.US_ASCII))
                    .startsWith("HTTP/1.1 200");
        } finally {
            setField(unread, "mostBytes", most);
        }
    }

    /** The buckets hold each call that the timer counts, whatever its outcome, and no other. */
    @Test
    void showsHowLongEachCallTook() throws Exception {
        long before = latency("scripted").path("calls").asLong();
        CompletableFuture<HttpResponse<String>> answer = http().getAsync("/scripted/square/unary/4");
        List<Call> calls = List.of(next(), next(), next(), next());
        calls.get(0).right();
        calls.get(1).fail(Outcome.TIMEOUT);
        assertThat(answer.get(60, TimeUnit.SECONDS).statusCode()).isEqualTo(504);
        await().atMost(PATIENCE)
                .untilAsserted(() ->
                        assertThat(latency("scripted").path("calls").asLong()).isEqualTo(before + 4));
        http().get("/memory/square/unary/46341");

        for (String variant : List.of("memory", "scripted", "rest")) {
            JsonNode latency = latency(variant);
            assertThat(latency.path("transport").asString()).isEqualTo(variant);
            assertThat(latency.path("calls").asDouble())
                    .isEqualTo(http().metric("chatterbox_calls_seconds_count", "transport=\"" + variant + "\""));
            long sum = 0;
            long bound = 0;
            for (JsonNode bucket : latency.path("buckets")) {
                assertThat(bucket.get(0).asLong()).isGreaterThan(bound);
                bound = bucket.get(0).asLong();
                sum += bucket.get(1).asLong();
            }
            assertThat(sum).isEqualTo(latency.path("calls").asLong());
        }
        assertThat(latency("memory").path("calls").asLong()).isGreaterThanOrEqualTo(46341);
        assertThat(latency("rest").path("buckets").size()).isZero();
    }

    private JsonNode latency(String variant) {
        HttpResponse<String> answer = http().get("/transports/" + variant + "/latency");
        assertThat(answer.statusCode()).isEqualTo(200);
        assertThat(answer.headers().firstValue("content-type")).hasValue("application/json");
        return new JsonMapper().readTree(answer.body());
    }

    @Test
    void knowsTheLatencyOfNoTransportThatIsNotThere() {
        HttpResponse<String> answer = http().get("/transports/pigeon/latency");
        assertThat(answer.statusCode()).isEqualTo(404);
        assertThat(answer.headers().firstValue("content-type")).hasValue("application/problem+json");
        assertThat(answer.body()).contains("There is no transport 'pigeon'; there are: memory, rest, scripted");
        assertThat(http().send("POST", "/transports/memory/latency").statusCode())
                .isEqualTo(405);
    }

    @Test
    void aTransportThatIsDisabledSaysWhy() {
        HttpResponse<String> answer = http().get("/rest/square/unary/1");
        assertThat(answer.statusCode()).isEqualTo(503);
        assertThat(answer.body()).contains("the transport rest is disabled: there is no network");
    }

    @Test
    void showsItsBounds() {
        assertThat(http().get("/actuator/info").body())
                .contains("\"maxCalls\":46341", "\"maxInFlight\":2048", "\"maxInputsInFlight\":100000")
                .contains("\"callTimeout\":\"PT", "\"maxBytesInFlight\":", "\"traces\":0.0");
    }

    @Test
    void theLivePageGetsWhatWasKeptAndThenASampleASecond() {
        try (Stream<String> lines = http().lines("/live")) {
            List<String> events = lines.filter(line -> !line.isEmpty()).limit(3).toList();
            assertThat(events.get(0)).isEqualTo("event:history");
            assertThat(events.get(1)).startsWith("data:[").endsWith("]");
            assertThat(events.get(2))
                    .startsWith("data:{")
                    .contains("\"memory\":{\"state\":\"up\"", "\"process\":{\"cpu\":", "\"inFlight\":0");
        }
    }

    private Socket lines(int n) {
        return http().open("/scripted/square/unary/" + n, "Accept: application/x-ndjson");
    }

    /** The next line of an answer in chunks, without its header and its chunks' lengths. */
    private static String nextLine(BufferedReader reader) throws Exception {
        String line = reader.readLine();
        while (!line.startsWith("{")) {
            line = reader.readLine();
        }
        return line;
    }

    private Call next() throws InterruptedException {
        Call call = scripted.calls.poll(60, TimeUnit.SECONDS);
        assertThat(call).as("a call that was sent").isNotNull();
        return call;
    }
}

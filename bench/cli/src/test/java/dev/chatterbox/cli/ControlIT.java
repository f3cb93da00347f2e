package dev.chatterbox.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.chatterbox.stack.FakeRepository;
import dev.chatterbox.stack.Member;
import dev.chatterbox.stack.Stack;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Asks the control service of a stack of fakes byte by byte, because no HTTP client can send a false Host. */
@Tag("long")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class ControlIT {

    private static final String JSON = "application/json";

    @TempDir
    static Path root;

    private Commands commands;
    private Stack stack;
    private int page;
    private int port;

    @BeforeAll
    void start() throws IOException {
        var repository = FakeRepository.create(Files.createDirectory(root.resolve("checkout")));
        commands = new Commands(repository);
        int offset = commands.freeOffset();
        stack = repository.stack(offset);
        page = 8080 + offset;
        port = 8079 + offset;
        assertThat(commands.run("up", "--port-offset=" + offset).exitCode()).isZero();
        Path run = Files.createDirectories(repository.results().resolve("20261122-120000-live"));
        Files.writeString(run.resolve("report.html"), "<!doctype html><p>Größer</p>");
        Files.writeString(run.resolve("results.json"), "{}");
    }

    @AfterAll
    void stop() {
        commands.run("down", "--all");
    }

    private record Answer(int status, String head, String body) {
        JsonNode json() {
            return JsonMapper.shared().readTree(body);
        }
    }

    @Test
    void tellsItsOwnPageHowTheProcessesDo() throws IOException {
        Answer state = ask("GET", "/state", localhost(), origin(), token(), "", "");

        assertThat(state.status).as(state.body).isEqualTo(200);
        assertThat(state.head).contains("access-control-allow-origin: " + origin(), "no-store", "nosniff");
        assertThat(state.json().at("/stack/processes")).hasSize(stack.members().size());
        assertThat(state.json().at("/stack/processes/0/state").asString()).isEqualTo("up");
        assertThat(state.json().path("load").isNull()).isTrue();
        assertThat(state.body).doesNotContain(token(), stack.state().faultsToken());
        assertThat(ask("GET", "/state", "127.0.0.1:" + port, "http://127.0.0.1:" + page, token(), "", "").status)
                .isEqualTo(200);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            another page              | localhost:PORT   | http://localhost:1            | TOKEN | 403
            a page without an address | localhost:PORT   | null                          | TOKEN | 403
            no page at all            | localhost:PORT   |                               | TOKEN | 403
            the page over HTTPS       | localhost:PORT   | https://localhost:PAGE        | TOKEN | 403
            a name that begins alike  | localhost:PORT   | http://localhost:PAGE.evil.eu | TOKEN | 403
            another name for us       | rebound.eu:PORT  | http://localhost:PAGE         | TOKEN | 421
            without a port            | localhost        | http://localhost:PAGE         | TOKEN | 421
            no token                  | localhost:PORT   | http://localhost:PAGE         |       | 403
            a wrong token             | localhost:PORT   | http://localhost:PAGE         | x     | 403
            half of the token         | localhost:PORT   | http://localhost:PAGE         | HALF  | 403
            """)
    void answersNobodyElse(String who, String host, String origin, String token, int status) throws IOException {
        String given = token == null ? "" : token.replace("TOKEN", token()).replace("HALF", token().substring(0, 16));
        for (String request : new String[] {"GET /state", "POST /fault", "POST /load", "DELETE /load"}) {
            String[] word = request.split(" ");
            Answer answer = ask(
                    word[0],
                    word[1],
                    withPorts(host),
                    origin == null ? "" : withPorts(origin),
                    given,
                    JSON,
                    "{\"fault\":\"kill\",\"process\":\"nats\"}");
            assertThat(answer.status).as("%s: %s", who, request).isEqualTo(status);
        }
        assertThat(stack.dead()).isEmpty();
    }

    /** A form needs no preflight request, but has no token; a page with the token may not send a form's type either. */
    @Test
    void takesNoForm() throws IOException {
        String body = "{\"fault\":\"kill\",\"process\":\"nats\"}";
        for (String type : new String[] {"text/plain", "application/x-www-form-urlencoded", ""}) {
            assertThat(ask("POST", "/fault", localhost(), origin(), "", type, body).status)
                    .isEqualTo(403);
            assertThat(ask("POST", "/fault", localhost(), origin(), token(), type, body).status)
                    .isEqualTo(400);
        }
        assertThat(stack.dead()).isEmpty();
    }

    @Test
    void tellsBrowsersThatOnlyItsOwnPageMayAsk() throws IOException {
        assertThat(ask("OPTIONS", "/fault", localhost(), origin(), "", "", "").head)
                .contains("access-control-allow-origin: " + origin(), "authorization, content-type");
        assertThat(ask("OPTIONS", "/fault", localhost(), "http://localhost:1", "", "", "").head)
                .doesNotContain("access-control-allow");
    }

    @Test
    void breaksAndMends() throws IOException {
        assertThat(fault("{\"fault\":\"freeze\",\"process\":\"nats\"}").body).contains("is frozen");
        assertThat(ask("GET", "/state", localhost(), origin(), token(), "", "").body)
                .contains("\"frozen\"");
        assertThat(fault("{\"fault\":\"resume\",\"process\":\"nats\"}").body).contains("goes on");
        Member before = nats();
        assertThat(fault("{\"fault\":\"kill\",\"process\":\"nats\"}").body).contains("is dead");
        assertThat(stack.dead()).hasSize(1);
        assertThat(fault("{\"fault\":\"heal\"}").body).contains("nats is up again");
        assertThat(nats()).isNotEqualTo(before);
        assertThat(fault("{\"fault\":\"wrong\",\"value\":0.5}").json().path("done"))
                .hasSize(2);
        assertThat(fault("{\"fault\":\"clear\"}").status).isEqualTo(200);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            /fault | {"fault":"kill","process":"kafka"}                               | 400 | There is no process 'kafka'
            /fault | {"fault":"kill","process":"control"}                             | 400 | can do nothing to itself
            /fault | {"fault":"explode"}                                              | 400 | There is no fault 'explode'
            /fault | {"fault":                                                        | 400 |
            /load  | {"variants":["one"],"calls":5,"users":501,"seconds":5}               | 400 | Users: 1 to 500.
            /load  | {"variants":["one"],"calls":5,"users":5,"rate":5,"seconds":5}        | 400 | Either users or a rate.
            /load  | {"variants":["one"],"calls":0,"users":5,"seconds":5}                 | 400 | Calls per request: 1 to 10,000.
            /load  | {"variants":["one"],"calls":5,"users":5,"seconds":601}               | 400 | 600 in all
            /load  | {"variants":["one","two"],"calls":5,"users":5,"seconds":301}         | 400 | 600 in all
            /load  | {"variants":[],"calls":5,"users":5,"seconds":5}                      | 400 | Choose a variant.
            /load  | {"variants":["all"],"calls":5,"users":5,"seconds":151}               | 400 | 600 in all
            /load  | {"variants":["--out=x"],"calls":5,"users":5,"seconds":5}             | 409 | There is no transport '--out=x'
            /other | {}                                                               | 404 | There is no POST /other
            """)
    void refusesWhatCannotBe(String path, String body, int status, String message) throws IOException {
        Answer answer = ask("POST", path, localhost(), origin(), token(), JSON, body);

        assertThat(answer.status).as(answer.body).isEqualTo(status);
        assertThat(answer.json().path("error").asString()).contains(message == null ? "" : message);
    }

    @Test
    void refusesALongBody() throws IOException {
        assertThat(fault("{\"fault\":\"" + "x".repeat(5000) + "\"}").status).isEqualTo(400);
    }

    /** A comparison of fakes cannot succeed; the test checks that its error is shown. */
    @Test
    void showsWhatALoadSaid() throws Exception {
        Answer started = ask(
                "POST",
                "/load",
                localhost(),
                origin(),
                token(),
                JSON,
                "{\"variants\":[\"one\"],\"calls\":5,\"users\":5,\"seconds\":5}");
        assertThat(started.status).as(started.body).isEqualTo(202);
        await().untilAsserted(() -> {
            JsonNode load = ask("GET", "/state", localhost(), origin(), token(), "", "")
                    .json()
                    .path("load");
            assertThat(load.path("running").asBoolean()).isFalse();
            assertThat(load.path("command").asString()).startsWith("./chatterbox compare --preset=live");
            assertThat(load.path("lines").toString()).contains("There is no preset 'live'");
        });
        assertThat(ask("DELETE", "/load", localhost(), origin(), token(), "", "").status)
                .isEqualTo(202);
    }

    @Test
    void showsReportsAndNoOtherFile() throws IOException {
        Answer report = ask("GET", "/results/20261122-120000-live/report.html", localhost(), "", "", "", "");
        assertThat(report.status).isEqualTo(200);
        assertThat(report.body).isEqualTo("<!doctype html><p>Größer</p>");
        assertThat(report.head).contains("content-security-policy: default-src 'none'");
        for (String path : new String[] {
            "/results/20261122-120000-live/results.json",
            "/results/../stack-0/stack.json",
            "/results/%2e%2e/report.html",
            "/results/none/report.html",
            "/"
        }) {
            assertThat(ask("GET", path, localhost(), "", "", "", "").status)
                    .as(path)
                    .isIn(403, 404);
        }
        assertThat(ask("GET", "/results/20261122-120000-live/report.html", "rebound.eu:" + port, "", "", "", "").status)
                .isEqualTo(421);
    }

    private Answer fault(String body) throws IOException {
        return ask("POST", "/fault", localhost(), origin(), token(), JSON, body);
    }

    private Answer ask(String method, String path, String host, String origin, String token, String type, String body)
            throws IOException {
        byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
        String head = method + " " + path + " HTTP/1.1\r\nHost: " + host + "\r\nConnection: close\r\n"
                + header("Origin", origin)
                + header("Authorization", token.isEmpty() ? "" : "Bearer " + token)
                + header("Content-Type", type)
                + "Content-Length: " + bytes.length + "\r\n\r\n";
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port);
                InputStream in = socket.getInputStream()) {
            socket.getOutputStream().write(head.getBytes(StandardCharsets.ISO_8859_1));
            socket.getOutputStream().write(bytes);
            String answer = new String(in.readAllBytes(), StandardCharsets.UTF_8);
            int end = answer.indexOf("\r\n\r\n");
            String headers = answer.substring(0, end).toLowerCase(Locale.ROOT);
            return new Answer(Integer.parseInt(answer.split(" ")[1]), headers, answer.substring(end + 4));
        }
    }

    private static String header(String name, String value) {
        return value.isEmpty() ? "" : name + ": " + value + "\r\n";
    }

    private String withPorts(String text) {
        return text.replace("PORT", Integer.toString(port)).replace("PAGE", Integer.toString(page));
    }

    private String localhost() {
        return "localhost:" + port;
    }

    private String origin() {
        return "http://localhost:" + page;
    }

    private String token() {
        return stack.state().controlToken();
    }

    private Member nats() {
        return stack.members().stream()
                .filter(member -> member.name().equals("nats"))
                .findFirst()
                .orElseThrow();
    }
}

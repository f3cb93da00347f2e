package dev.chatterbox.cli;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.microsoft.playwright.Browser;
import com.microsoft.playwright.BrowserType;
import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.Playwright;
import com.microsoft.playwright.assertions.LocatorAssertions;
import com.microsoft.playwright.assertions.PlaywrightAssertions;
import com.microsoft.playwright.options.AriaRole;
import com.microsoft.playwright.options.ColorScheme;
import com.microsoft.playwright.options.Media;
import dev.chatterbox.processes.LocalHttp;
import dev.chatterbox.stack.Member;
import dev.chatterbox.variants.Variant;
import java.io.File;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.json.JsonMapper;

/**
 * Tests the live page in a real browser, with the services of this checkout over the default variants. In every test,
 * the browser must log no error or warning, and must ask no other host.
 */
class LivePageIT {

    /** The time for one step on a machine that is busy with other work. */
    private static final double PATIENCE_MILLIS = 60_000;

    private static final List<String> VARIANTS = Commands.builtCheckout().variants().byDefault().stream()
            .map(Variant::name)
            .toList();

    private static Playwright playwright;
    private static Browser browser;

    private final List<String> complaints = new ArrayList<>();
    private final Set<String> requestedHosts = new TreeSet<>();
    private final Set<String> hosts =
            new TreeSet<>(Set.of("localhost:" + aggregator().port()));
    private Page page;

    @BeforeAll
    static void launch() {
        Optional<Path> chromium = program("CHROMIUM_BIN", "chromium", "chromium-browser", "google-chrome");
        Optional<Path> node = program("PLAYWRIGHT_NODEJS_PATH", "node");
        assumeTrue(
                chromium.isPresent() && node.isPresent(),
                "Chromium or Node.js is not here: the live page is not tested in a browser");
        playwright = Playwright.create(new Playwright.CreateOptions()
                .setEnv(Map.of(
                        "PLAYWRIGHT_SKIP_BROWSER_DOWNLOAD",
                        "1",
                        "PLAYWRIGHT_NODEJS_PATH",
                        node.get().toString())));
        PlaywrightAssertions.setDefaultAssertionTimeout(PATIENCE_MILLIS);
        browser = playwright.chromium().launch(new BrowserType.LaunchOptions().setExecutablePath(chromium.get()));
        int port = aggregator().port();
        VARIANTS.forEach(variant -> warmUp(port, variant));
    }

    /** The number of calls grows: a thousand calls of a cold system on a busy machine may exceed the deadline. */
    private static void warmUp(int port, String variant) {
        for (int n : new int[] {1, 5, 100, 1000}) {
            await().atMost(Duration.ofMinutes(1))
                    .untilAsserted(() -> assertThat(LocalHttp.get(
                                            port, "/%s/square/unary/%d".formatted(variant, n), Duration.ofSeconds(30))
                                    .status())
                            .isEqualTo(200));
        }
    }

    /** @param variable names the program's file; without it, the PATH is searched for these names */
    private static Optional<Path> program(String variable, String... names) {
        Stream<Path> byVariable = Stream.ofNullable(System.getenv(variable)).map(Path::of);
        Stream<Path> onPath = Stream.of(names)
                .flatMap(name -> Stream.of(System.getenv("PATH").split(File.pathSeparator))
                        .map(folder -> Path.of(folder, name)));
        return Stream.concat(byVariable, onPath).filter(Files::isExecutable).findFirst();
    }

    @AfterAll
    static void close() {
        if (playwright != null) {
            playwright.close();
        }
    }

    @BeforeEach
    void open() {
        page = browser.newPage(
                new Browser.NewPageOptions().setViewportSize(1280, 720).setColorScheme(ColorScheme.LIGHT));
        page.setDefaultTimeout(PATIENCE_MILLIS);
        page.onConsoleMessage(message -> {
            if (Set.of("error", "warning").contains(message.type())) {
                complaints.add(message.text());
            }
        });
        page.onPageError(complaints::add);
        page.onRequest(request -> requestedHosts.add(URI.create(request.url()).getAuthority()));
        page.navigate("http://localhost:%d/".formatted(aggregator().port()));
        assertThat(page.locator("#connection")).containsText("live");
    }

    @AfterEach
    void nothingIsAmiss() {
        page.close();
        assertThat(complaints).isEmpty();
        assertThat(requestedHosts).containsExactlyElementsOf(hosts);
    }

    @Test
    void racesOverEveryVariantAndChecksEverySquare() throws IOException {
        Map<String, Long> before = callsByVariant();
        view("Race");
        button("1,000").click();
        button("Race").click();

        Locator text = page.locator("#race-words");
        assertThat(text.locator(".headline")).containsText("was first, with 1,000 calls in ");
        long sum = LongStream.rangeClosed(1, 1000).map(k -> k * k).sum();
        assertThat(text).containsText("the squares add up to %,d.".formatted(sum));
        assertThat(page.locator("#lanes .lane")).hasCount(VARIANTS.size());
        for (Variant variant : Commands.builtCheckout().variants().byDefault()) {
            Locator lane = page.locator("#lanes [data-name='%s']".formatted(variant.name()));
            assertThat(lane).containsText("1,000 of 1,000 replies");
            assertThat(lane.locator(".time b").textContent()).matches("[0-9.]+\u00a0m?s");
        }
        Map<String, Long> after = callsByVariant();
        assertThat(after)
                .allSatisfy((variant, calls) -> assertThat(calls - before.get(variant))
                        .as("calls over " + variant)
                        .isEqualTo(1000));
        assertThat(page.locator("#history-variants tr")).hasCount(VARIANTS.size());
    }

    /** The page has as many elements with ten thousand calls as with one. The test uses the keyboard only. */
    @Test
    @Tag("long")
    void drawsTenThousandCallsWithoutAnElementForEach() {
        page.keyboard().press("2");
        button("1").click();
        page.keyboard().press("r");
        assertThat(page.locator("#race-words .headline")).containsText("one call");
        Object elements = page.evaluate("document.querySelectorAll('#lanes *').length");

        button("10,000").click();
        page.keyboard().press("r");
        assertThat(page.locator("#race-words .headline")).containsText("10,000 calls");
        assertThat(page.locator("#lanes")).containsText("10,000 of 10,000 replies");
        assertThat(page.evaluate("document.querySelectorAll('#lanes *').length"))
                .isEqualTo(elements);

        page.evaluate("""
                () => {
                  window.frames_ = 0;
                  const count = () => { window.frames_++; requestAnimationFrame(count); };
                  count();
                }""");
        page.keyboard().press("s");
        assertThat(page.locator("#track-title")).containsText(Pattern.compile("Slowed down|As fast"));
        assertThat(page.locator("#track-title")).containsText("was first");
        // The race takes six seconds, so sixty frames are ten per second, on a machine that draws without a graphics
        // processor.
        assertThat((int) page.evaluate("window.frames_")).isGreaterThan(60);
    }

    /** The legend takes room from the panel, which grows, and not from the plot. */
    @Test
    void chartsOfManyVariantsKeepTheirHeight() {
        Locator legends = page.locator(".chart .legend");
        assertThat(legends.first()).containsText(VARIANTS.get(0));
        legends.evaluateAll(
                "all => all.forEach(legend => { for (let i = 0; i < 12; i++)"
                        + " legend.append(Object.assign(document.createElement('li'), { textContent: 'rest-python-stock' })); })");
        assertThat((List<?>) page.evaluate("[...document.querySelectorAll('.plot')].map(plot => plot.clientHeight)"))
                .hasSize(4)
                .allSatisfy(height -> assertThat((int) height).isGreaterThan(100));
    }

    /** A dark page is printed light, without its controls, and no table is wider than the paper. */
    @Test
    void printsWhatWasSeen() {
        Locator root = page.locator("html");
        page.emulateMedia(new Page.EmulateMediaOptions().setColorScheme(ColorScheme.DARK));
        assertThat(root).hasAttribute("data-theme", "dark");
        assertThat(page.locator("#variants tr")).hasCount(VARIANTS.size());
        page.evaluate("dispatchEvent(new Event('beforeprint'))");
        assertThat(root).hasAttribute("data-theme", "light");
        page.emulateMedia(new Page.EmulateMediaOptions().setMedia(Media.PRINT));
        page.setViewportSize(703, 1032); // A4 without its margins
        assertThat(page.locator("#views")).isHidden();
        assertThat(page.locator("#variants")).isVisible();
        assertThat((boolean) page.evaluate("document.documentElement.scrollWidth <= innerWidth"))
                .isTrue();
        page.evaluate("dispatchEvent(new Event('afterprint'))");
        assertThat(root).hasAttribute("data-theme", "dark");
    }

    @Test
    @Tag("long")
    void keepsTheRacesOfANumberOfCalls() {
        view("Race");
        button("100").click();
        Locator marks = page.locator("#history-variants tr").first().locator(".warm, .cold");
        for (int races = 1; races <= 3; races++) {
            button("Race").click();
            assertThat(marks).hasCount(races);
        }
        button("10").click();
        button("Race").click();
        assertThat(marks).hasCount(1);

        page.reload();
        assertThat(marks).hasCount(1);
        page.getByRole(AriaRole.RADIO, new Page.GetByRoleOptions().setName("100 calls"))
                .check();
        assertThat(marks).hasCount(3);
        button("Forget them").click();
        assertThat(page.locator("#history")).isHidden();
    }

    @Test
    void leavesColdAndFailedRacesOutOfTheMedian() {
        assertThat(summary("{seconds: 9, cold: true}, {seconds: null}, {seconds: 3}, {seconds: 1}"))
                .isEqualTo("1 cold, 1 failed, median 2, 1 to 3");
        assertThat(summary("{seconds: 3}, {seconds: 1}, {seconds: 2}")).isEqualTo("0 cold, 0 failed, median 2, 1 to 3");
        assertThat(summary("{seconds: 3, cold: true}")).isEqualTo("1 cold, 0 failed, median null, null to null");
    }

    private Object summary(String races) {
        return page.evaluate("""
                async () => {
                  const { summary } = await import('/race/history.js');
                  const { cold, failed, median, least, most } = summary([%s]);
                  return `${cold} cold, ${failed} failed, median ${median}, ${least} to ${most}`;
                }""".formatted(races));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{\"1\":1} {\"3\":9} {\"2\":4} | right: 3",
                "{\"1\":1} {\"2\":5} | Wrong answer: {\"2\":5}",
                "{\"1\":1} {\"1\":1} | Wrong answer: 1 came twice",
                "{\"4\":16} | Wrong answer: {\"4\":16}",
                "{\"1\":1,\"2\":4} | Wrong answer: {\"1\":1,\"2\":4}",
                "{\"1\":1} {\"error\":{\"status\":504,\"detail\":\"late\"}} | 504 – late"
            })
    void countsARequestOnlyIfEveryLineOfItIsRight(String lines, String outcome) {
        assertThat(page.evaluate("""
                        async (lines) => {
                          const { Lane } = await import('/race/lane.js');
                          const lane = new Lane('nats', 3);
                          lines.split(' ').forEach((line, i) => lane.take(line, i));
                          return lane.seconds == null ? lane.failure : `right: ${lane.count}`;
                        }""", lines)).isEqualTo(outcome);
    }

    @Test
    void drawsThePathOfEveryVariant() {
        view("Paths");
        assertThat(page.locator("#paths .path")).hasCount(VARIANTS.size());
        for (Variant variant : Commands.builtCheckout().variants().byDefault()) {
            Locator path = page.locator("#paths [data-name='%s']".formatted(variant.name()));
            variant.broker().ifPresent(broker -> assertThat(path).containsText(broker.name()));
            variant.responder().ifPresent(responder -> assertThat(path).containsText(responder.name()));
            if (variant.broker().isPresent()) {
                variant.address().values().forEach(value -> assertThat(path).containsText(value));
            }
            assertThat(path).containsText("delivery");
        }
    }

    /** The test uses the keyboard first, and then points at a call. */
    @Test
    void drawsARequestCallByCall() {
        page.keyboard().press("5");
        assertThat(page.locator("#waterfall-first")).hasValue("rest");
        assertThat(page.locator("#waterfall-second")).hasValue("nats");
        page.keyboard().press("w");
        for (String variant : List.of("rest", "nats")) {
            Locator panel = page.locator("#waterfalls [data-name='%s']".formatted(variant));
            assertThat(panel.locator("svg g")).hasCount(100);
            assertThat(panel.locator("svg [data-part=work]")).hasCount(100);
            assertThat(panel).containsText("Half of the calls were sent within");
            panel.locator("svg g").nth(41).dispatchEvent("pointerenter");
            assertThat(panel.locator(".hovered")).containsText("Call 42 waited");
            assertThat(panel.locator(".hovered")).containsText("with square-service-" + variant);
        }

        page.locator("#waterfall-presets").getByText("1,000").click();
        assertThat(page.locator("#waterfalls [data-name='nats']")).containsText("200 of 1,000 calls are drawn");
        assertThat(page.locator("#waterfalls [data-name='nats'] svg g")).hasCount(200);
    }

    @ParameterizedTest
    @CsvSource({"1280, 720, false", "1280, 720, true", "390, 844, false"})
    void fitsTheScreenInEveryView(int width, int height, boolean projector) {
        page.setViewportSize(width, height);
        if (projector) {
            button("Projector").click();
        }
        for (String view : List.of("Now", "Race", "Paths", "Load & faults", "Waterfall")) {
            view(view);
            assertThat(page.evaluate("document.documentElement.scrollWidth - document.body.offsetWidth"))
                    .as(view)
                    .isEqualTo(0);
        }
    }

    @Test
    @Tag("long")
    void saysThatTheSamplesStayAwayAndGoesOnWhenTheyComeAgain() throws Exception {
        signal("STOP");
        try {
            assertThat(page.locator("#toast")).containsText("No samples");
            assertThat(page.locator("#connection")).hasText("offline");
        } finally {
            signal("CONT");
        }
        assertThat(page.locator("#connection")).containsText("live");
        assertThat(page.locator("#toast")).isEmpty();
    }

    @Test
    void saysHowToGetLoadAndFaultsWhereThereIsNoService() {
        view("Load & faults");
        assertThat(page.locator("#control-absent")).containsText("Open the address that it printed last");
        assertThat(page.locator("#control")).isHidden();
    }

    /** Does what a trainer does: makes load, opens a report, freezes a broker, and kills one. */
    @Test
    @Tag("long")
    void makesLoadAndFaults() {
        openWithToken();
        view("Load & faults");
        Stream.of("rest", "kafka")
                .forEach(variant -> page.locator("#load-variants [data-name='%s']".formatted(variant))
                        .click());
        page.locator("#load-calls").fill("501000");
        button("Start").click();
        // The browser itself does not send such a number.
        assertThat(page.locator("#load-calls:invalid")).hasCount(1);
        assertThat(page.locator("#load-title")).hasText("No load from here yet");
        page.locator("#load-calls").fill("100");
        page.locator("#load-amount").fill("20");
        page.locator("#load-seconds").fill("20");
        button("Start").click();
        assertThat(page.locator("#load-title")).containsText("Running");
        view("Now");
        assertThat(page.locator("#cards [data-name='nats'] [data-f=cpuWhy]"))
                .hasText("system", new LocatorAssertions.HasTextOptions().setTimeout(60_000));
        view("Load & faults");
        picture("load");
        assertThat(page.locator("#load-title"))
                .hasText("Done", new LocatorAssertions.HasTextOptions().setTimeout(120_000));
        assertThat(page.locator("#load-lines")).containsText("CPU-µs");

        Locator nats = page.locator("#processes [data-name='nats']");
        assertThat(nats.getByText("Freeze")).isDisabled();
        page.locator("#faults-on").check();
        nats.getByText("Freeze").click();
        assertThat(nats).containsText("frozen");
        assertThat(nats).containsText("nats is down");
        nats.scrollIntoViewIfNeeded();
        picture("fault");
        assertThat(page.locator("#processes [data-name='kafka']")).containsText("kafka: up");
        nats.getByText("Resume").click();
        assertThat(nats).containsText("nats: up");
        assertThat(nats.locator("[data-f=recovery]")).hasText(Pattern.compile("[0-9]+\u00a0s"));

        nats.getByText("Kill").click();
        assertThat(nats).containsText("dead");
        // The result must also be visible in the projector view.
        button("Projector").click();
        assertThat(page.locator("#fault-said")).isVisible();
        button("Projector").click();
        button("Restart stopped processes").click();
        assertThat(page.locator("#fault-said")).containsText("nats is up again after");
        assertThat(nats).containsText("nats: up");
        page.locator("#faults-on").uncheck();

        Page report = page.waitForPopup(() -> page.locator("#load-report").click());
        report.onConsoleMessage(message -> complaints.add(message.text()));
        assertThat(report.locator("h1")).isVisible();
        assertThat(report.locator("body")).containsText("nats");
        report.close();
    }

    /** Makes a picture below target/pictures, for the pages that show the live page. */
    private void picture(String name) {
        page.screenshot(new Page.ScreenshotOptions().setPath(Path.of("target", "pictures", name + ".png")));
    }

    /** Checks that the token does not stay in the address, where people in the room could read it. */
    private void openWithToken() {
        int control = RealStack.stack().members().stream()
                .filter(member -> member.name().equals("control"))
                .findFirst()
                .orElseThrow()
                .port();
        String token = RealStack.stack().state().controlToken();
        page.navigate(
                "http://localhost:%d/#control=%d,%s".formatted(aggregator().port(), control, token));
        assertThat(page.locator("#processes tr"))
                .hasCount(RealStack.stack().members().size());
        assertThat(page).not().hasURL(Pattern.compile(token));
        hosts.add("localhost:" + control);
    }

    private static void signal(String name) throws Exception {
        String pid = Long.toString(aggregator().pid());
        assertThat(new ProcessBuilder("kill", "-" + name, pid).start().waitFor())
                .isZero();
    }

    private static Member aggregator() {
        return RealStack.stack().members().stream()
                .filter(member -> member.name().equals("aggregator-service"))
                .findFirst()
                .orElseThrow();
    }

    private static Map<String, Long> callsByVariant() throws IOException {
        Map<String, Long> calls = new LinkedHashMap<>();
        for (String variant : VARIANTS) {
            String json = LocalHttp.get(
                            aggregator().port(), "/transports/%s/latency".formatted(variant), Duration.ofMinutes(1))
                    .body();
            calls.put(variant, JsonMapper.shared().readTree(json).path("calls").asLong());
        }
        return calls;
    }

    private void view(String name) {
        page.getByRole(AriaRole.LINK, new Page.GetByRoleOptions().setName(name).setExact(true))
                .click();
    }

    private Locator button(String name) {
        return page.getByRole(
                AriaRole.BUTTON, new Page.GetByRoleOptions().setName(name).setExact(true));
    }
}

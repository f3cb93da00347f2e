package dev.chatterbox.comparison;

import static org.assertj.core.api.Assertions.assertThat;

import dev.chatterbox.comparison.counts.ServiceCounts;
import dev.chatterbox.results.Counts;
import dev.chatterbox.stack.Member;
import dev.chatterbox.stack.Target;
import dev.chatterbox.variants.Variant;
import dev.chatterbox.variants.Variants;
import dev.chatterbox.workloads.Workload;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Two variants share a responder, and a third one has its own. Each variant gets ten requests of a hundred calls. */
class LedgerTests {

    private static final Variants VARIANTS = Variants.read(Path.of("../../variants"));
    private static final String SHARED = "square-service-nats";
    private static final String OWN = "square-service-rest";
    private static final Workload WORKLOAD = Workload.parse("unary calls=100 users=1");

    private final Target target = new Target(
            service("aggregator"),
            List.of(variant("nats", SHARED), variant("nats-stock", SHARED), variant("rest", OWN)),
            List.of(),
            Optional.empty(),
            Map.of());
    private final Ledger ledger = new Ledger();

    private final Map<String, Map<String, Double>> outcomes = new HashMap<>();
    private final Map<String, Double> messages = new HashMap<>();
    private final Map<String, Double> unmatched = new HashMap<>();
    private final Map<String, Double> squares = new HashMap<>(Map.of(SHARED, 2000.0, OWN, 1000.0));
    private final Map<String, String> faults = new HashMap<>();

    private static Target.Service service(String name) {
        return Target.Service.of(Member.of(name, 1, 1));
    }

    private static Target.VariantTarget variant(String name, String responder) {
        Variant variant = VARIANTS.find(name).orElseThrow();
        return new Target.VariantTarget(
                variant,
                Optional.of(service(responder)),
                Optional.empty(),
                List.of(),
                Optional.empty(),
                Optional.empty(),
                Optional.empty());
    }

    @BeforeEach
    void allCallsArrive() {
        ledger.begin();
        for (String variant : List.of("nats", "nats-stock", "rest")) {
            outcomes.put(variant, new HashMap<>(Map.of("ok", 1000.0)));
            messages.put(variant, 1000.0);
            ledger.add(subject(variant, false, WORKLOAD), 10, 0);
        }
    }

    private Subject subject(String variant, boolean bare, Workload workload) {
        return new Subject("", target, variant, bare, workload);
    }

    private Map<String, List<String>> close() {
        return ledger.close(target, counted());
    }

    private ServiceCounts counted() {
        return new ServiceCounts(outcomes, messages, unmatched, squares, Map.of(), faults);
    }

    @Test
    void agreesThreeWays() {
        assertThat(ledger.agreesWith(target, counted())).isTrue();
        assertThat(close()).isEmpty();

        Counts counts = ledger.counts();
        assertThat(counts.agree()).isTrue();
        assertThat(counts.generatorRequests()).isEqualTo(30);
        assertThat(counts.generatorCalls()).containsEntry("rest", 1000L).isEqualTo(counts.aggregatorCalls());
        assertThat(counts.responderSquares()).containsEntry(SHARED, 2000L);
    }

    /** The planted flaw: the responder answers one call that never arrived, or loses one. */
    @Test
    void findsALostCallWithBothVariantsThatShareTheResponder() {
        squares.put(SHARED, 1999.0);

        assertThat(ledger.agreesWith(target, counted())).isFalse();
        assertThat(close())
                .containsOnlyKeys("nats", "nats-stock")
                .allSatisfy((variant, reasons) ->
                        assertThat(reasons).containsExactly("1999 calls reached the responder, but 2000 were sent"));
        assertThat(ledger.counts().agree()).isFalse();
    }

    @Test
    void findsACallThatTheAggregatorDidNotMake() {
        outcomes.put("rest", Map.of("ok", 999.0));

        assertThat(close().get("rest")).contains("999 calls by the aggregator's count, 1000 by the generator's");
        assertThat(ledger.counts().agree()).isFalse();
    }

    @Test
    void findsADoubledReply() {
        unmatched.put("nats", 1.0);

        assertThat(close())
                .containsOnlyKeys("nats")
                .containsEntry("nats", List.of("1 replies came late, twice or for no call"));
    }

    @Test
    void findsAWrongNumberOfMessages() {
        ledger.add(subject("rest", false, Workload.parse("batch calls=100 size=10 users=1")), 10, 0);
        outcomes.put("rest", Map.of("ok", 2000.0));
        squares.put(OWN, 2000.0);
        messages.put("rest", 1101.0);

        assertThat(close().get("rest"))
                .containsExactly("1101 messages by the aggregator's count, but so many calls take 1100");
    }

    @Test
    void findsAWrongSquare() {
        outcomes.put("rest", Map.of("ok", 999.0, "wrong", 1.0));

        assertThat(close().get("rest")).containsExactly("1 calls ended as wrong");
    }

    @Test
    void saysThatAResponderFailsOnDemand() {
        faults.put(OWN, "delay 0.1 s");

        assertThat(close())
                .containsOnlyKeys("rest")
                .containsEntry("rest", List.of("the responder fails on demand: delay 0.1 s"));
    }

    @Test
    void countsNothingAgainstARequestThatFailedButDoesNotCallItAgreement() {
        ledger.add(subject("rest", false, WORKLOAD), 0, 1);
        outcomes.put("rest", Map.of("ok", 1042.0));
        messages.put("rest", 1042.0);
        squares.put(OWN, 1042.0);

        assertThat(close()).isEmpty();
        assertThat(ledger.counts().agree()).isFalse();
    }

    @Test
    void countsTheCallsOfABareClientWithThoseOfItsResponder() {
        ledger.add(subject("nats", true, Workload.parse("unary calls=1 users=256")), 5000, 0);
        squares.put(SHARED, 7000.0);

        assertThat(close()).isEmpty();
        assertThat(ledger.counts().agree()).isTrue();
    }

    @Test
    void beginsEachBlockAnew() {
        close();
        outcomes.clear();
        messages.clear();
        squares.clear();

        assertThat(close()).isEmpty();
        assertThat(ledger.counts().generatorRequests()).isEqualTo(30);
    }

    @Test
    void knowsThatItMissedSomething() {
        ledger.incomplete();

        assertThat(ledger.counts().agree()).isFalse();
    }
}

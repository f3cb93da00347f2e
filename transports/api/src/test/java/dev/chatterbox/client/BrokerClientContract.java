package dev.chatterbox.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.chatterbox.brokers.RunningBroker;
import dev.chatterbox.brokers.RunningNode;
import dev.chatterbox.processes.Ports;
import dev.chatterbox.variants.Variant;
import dev.chatterbox.variants.Variants;
import java.util.HashMap;
import java.util.Map;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * The contract over a broker. The tests of a broker supply a {@link Wiring}, which says where the peer listens and how
 * clients find the broker, and the peer. The client is that of the variant, made as the aggregator makes it.
 */
public abstract class BrokerClientContract extends SquareClientContract {

    /**
     * How the tests of one broker reach it.
     *
     * @param urlVariable the environment variable that holds the broker's address
     * @param urlSetting the setting of the variant by which its client finds the broker
     * @param nobody a URL without a broker; {@code %d} is a free port
     * @param address of the peer, as keys of the variant, so that no other calls reach it
     */
    public record Wiring(String urlVariable, String urlSetting, String nobody, Map<String, String> address) {}

    private final Wiring wiring;

    protected BrokerClientContract(Wiring wiring) {
        this.wiring = wiring;
    }

    /** A peer that is ready to receive. */
    protected abstract ScriptedPeer peer(String url);

    /**
     * The constructor's other arguments, without the variant, all variants, its settings, its limits and the meters.
     */
    protected Object[] beans() {
        return new Object[0];
    }

    /** Further settings of the variant's client, with which it finds the broker at this URL. */
    protected Map<String, String> furtherSettings(String url) {
        return Map.of();
    }

    /** The URL of the broker that all tests of this JVM share. */
    protected final String url() {
        return url(SharedBrokers.of(TestVariants.find(variant())));
    }

    protected String url(RunningBroker broker) {
        return broker.environment().get(wiring.urlVariable());
    }

    /** A new client, not started, whose calls reach a peer at this broker. */
    protected final SquareClient client(String url) {
        return client(url, wiring.address());
    }

    /** The same with further settings of the variant. */
    protected final SquareClient client(String url, Map<String, String> settings) {
        Map<String, String> values = new HashMap<>(settings);
        values.put(wiring.urlSetting(), url);
        values.putAll(furtherSettings(url));
        Variants variants = TestVariants.with(variant(), values);
        return make(
                variants.find(variant()).orElseThrow(),
                Stream.concat(Stream.of(variants), Stream.of(beans())).toArray());
    }

    @Override
    protected SquareClient client() {
        return client(url());
    }

    @Override
    protected SquareClient clientOfTheRealResponder() {
        realResponder(SharedBrokers.of(TestVariants.find(variant())).environment());
        return client(url(), Map.of());
    }

    @Override
    protected SquareClient clientOfNobody() {
        return client(wiring.nobody().formatted(Ports.free(1).get(0)));
    }

    @Override
    protected SquareClient clientOf(RunningBroker broker) {
        return client(url(broker));
    }

    @Override
    protected RunningBroker brokerOfItsOwn() {
        return SharedBrokers.start(TestVariants.find(variant()));
    }

    @Override
    protected ScriptedPeer peer() {
        return peer(url());
    }

    @Test
    void startsWhereTheNameOfItsBrokerHasNoAddressYet() {
        SquareClient client = client(wiring.nobody()
                .formatted(Ports.free(1).get(0))
                .replaceAll("localhost|127\\.0\\.0\\.1", "no-such-host.invalid"));
        client.start();
        try {
            assertThat(client.check().toFuture())
                    .failsWithin(PATIENCE)
                    .withThrowableThat()
                    .satisfies(error -> assertThat(Outcome.of(error.getCause())).isEqualTo(Outcome.UNAVAILABLE));
        } finally {
            client.stop();
        }
    }

    /**
     * Whichever node leads, or has the client's connection, or the responder's, is among those that die. How long it
     * takes, {@code ./chatterbox resilience} judges: an election in NATS alone takes up to 9 s.
     */
    @Tag("long")
    @Test
    void answersRightAgainWhenAnyNodeOfItsClusterDies() {
        Variant variant = TestVariants.find(variant());
        assumeTrue(variant.broker().orElseThrow().isCluster(), "there is one node only");
        SquareClient client = ready(clientOfTheRealResponder());
        awaitAnswers(client);

        for (RunningNode node : SharedBrokers.of(variant).nodes()) {
            node.kill();
            try {
                awaitAnswers(client);
            } finally {
                node.restart();
            }
            awaitAnswers(client);
        }
    }

    /** Waits until the client answers several calls in a row; each answer must be right. */
    private static void awaitAnswers(SquareClient client) {
        await().atMost(PATIENCE)
                .until(() -> IntStream.rangeClosed(1, 20)
                        .allMatch(number -> client.square(TestRequests.of(number, SHORT))
                                .map(reply -> {
                                    assertThat(reply.square(0)).isEqualTo((long) number * number);
                                    return true;
                                })
                                .onErrorReturn(
                                        error -> Outcome.of(error) == Outcome.UNAVAILABLE
                                                || Outcome.of(error) == Outcome.TIMEOUT,
                                        false)
                                .blockOptional(PATIENCE)
                                .orElse(false)));
    }
}

package dev.chatterbox.aggregator.client;

import dev.chatterbox.aggregator.RealResponder;
import dev.chatterbox.aggregator.SharedBrokers;
import dev.chatterbox.aggregator.TestRows;
import dev.chatterbox.brokers.RunningBroker;
import dev.chatterbox.processes.Ports;
import dev.chatterbox.rows.Row;
import dev.chatterbox.rows.Rows;
import java.util.HashMap;
import java.util.Map;
import java.util.stream.Stream;

/**
 * The contract over a broker. What a broker's tests bring is a {@link Wiring}: where the peer listens, how clients find
 * the broker, and the peer. A client is the one that the row names, made as the aggregator makes it.
 */
public abstract class BrokerClientContract extends SquareClientContract {

    /**
     * How the tests of one broker reach it.
     *
     * @param urlVariable by which the broker says where it is
     * @param urlSetting of the row, by which its client finds the broker
     * @param nobody a URL where no broker is; {@code %d} is a free port
     * @param address of the peer, as keys of the row, so that nobody else's calls reach it
     */
    public record Wiring(String urlVariable, String urlSetting, String nobody, Map<String, String> address) {}

    private final Wiring wiring;

    protected BrokerClientContract(Wiring wiring) {
        this.wiring = wiring;
    }

    /** A peer that is ready to receive. */
    protected abstract ScriptedPeer peer(String url);

    /** What the client's constructor asks for besides the row, all rows, its settings, its limits and the meters. */
    protected Object[] beans() {
        return new Object[0];
    }

    /** What a row's client is set besides, to find the broker at this URL. */
    protected Map<String, String> furtherSettings(String url) {
        return Map.of();
    }

    /** The URL of the broker that all tests of this JVM share. */
    protected final String url() {
        return url(SharedBrokers.of(TestRows.find(row())));
    }

    protected String url(RunningBroker broker) {
        return broker.environment().get(wiring.urlVariable());
    }

    /** A new client, not started, whose calls reach a peer at this broker. */
    protected final SquareClient client(String url) {
        return client(url, wiring.address());
    }

    /** The same with other settings of the row besides. */
    protected final SquareClient client(String url, Map<String, String> settings) {
        Map<String, String> values = new HashMap<>(settings);
        values.put(wiring.urlSetting(), url);
        values.putAll(furtherSettings(url));
        Rows rows = TestRows.with(row(), values);
        return make(
                rows.find(row()).orElseThrow(),
                Stream.concat(Stream.of(rows), Stream.of(beans())).toArray());
    }

    @Override
    protected SquareClient client() {
        return client(url());
    }

    @Override
    protected SquareClient clientOfTheRealResponder() {
        Row row = TestRows.find(row());
        open(RealResponder.start(row, SharedBrokers.of(row).environment()));
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
        return SharedBrokers.start(TestRows.find(row()));
    }

    @Override
    protected ScriptedPeer peer() {
        return peer(url());
    }
}

package dev.chatterbox.resilience;

import dev.chatterbox.comparison.NetworkLink;
import dev.chatterbox.comparison.Target;
import dev.chatterbox.control.StackFaults;
import dev.chatterbox.network.Toxiproxy;
import dev.chatterbox.processes.ChildProcess;
import dev.chatterbox.stack.Member;
import dev.chatterbox.stack.Stack;
import dev.chatterbox.stack.StackException;
import dev.chatterbox.stack.Steps;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * What a case can do to one row, and where it notes what it saw. Whatever ends a fault tells the tally that the part is
 * back.
 */
final class Scene {

    /** As long as {@code down} gives a process. */
    private static final Duration GRACE = Duration.ofSeconds(10);

    private static final Duration LONGEST_FLOOD = Duration.ofMinutes(3);

    private final Stack stack;
    private final StackFaults faults;
    private final Toxiproxy network;
    private final Target.RowTarget row;
    private final Tally tally;
    private final int port;
    private final List<String> remarks = new ArrayList<>();
    private final List<String> missed = new ArrayList<>();

    /**
     * @param tally of the load that runs on the row
     * @param port of the aggregator
     */
    Scene(StackFaults faults, Toxiproxy network, Target.RowTarget row, Tally tally, int port) {
        this.stack = faults.stack();
        this.faults = faults;
        this.network = network;
        this.row = row;
        this.tally = tally;
        this.port = port;
    }

    /** What is worth knowing besides the figures. */
    List<String> remarks() {
        return remarks;
    }

    /** What should have been otherwise. */
    List<String> missed() {
        return missed;
    }

    void pause(int seconds) throws InterruptedException {
        TimeUnit.SECONDS.sleep(seconds);
    }

    void kill(Part part) {
        faults.kill(name(part));
    }

    void freeze(Part part) {
        faults.freeze(name(part));
    }

    void resume(Part part) {
        faults.resume(name(part));
        tally.back();
    }

    void terminate(Part part) {
        ChildProcess process = stack.process(member(part)).orElseThrow();
        long start = System.nanoTime();
        process.stop(GRACE);
        double seconds = (System.nanoTime() - start) / 1e9;
        remarks.add("%s ended %.1f s after SIGTERM".formatted(part.word(), seconds));
        if (seconds >= GRACE.toSeconds()) {
            missed.add("%s did not end within %d s".formatted(part.word(), GRACE.toSeconds()));
        }
    }

    /** Starts what has ended. It is back when its port takes connections: long before every row has answered. */
    void startAgain(Part part) throws IOException, InterruptedException {
        int listening = member(part).port();
        Thread watch = new Thread(() -> awaitPort(listening), "await-" + part.word());
        watch.start();
        try {
            faults.restart(name(part), Steps.SILENT);
        } finally {
            watch.interrupt();
            watch.join();
        }
    }

    private void awaitPort(int listening) {
        while (!Thread.currentThread().isInterrupted()) {
            try (Socket socket = new Socket()) {
                socket.connect(new InetSocketAddress("127.0.0.1", listening), 1000);
                tally.back();
                return;
            } catch (IOException notYet) {
                try {
                    Thread.sleep(20);
                } catch (InterruptedException e) {
                    return;
                }
            }
        }
    }

    void deleteData() {
        stack.deleteData(member(Part.BROKER));
    }

    void cut() {
        links().forEach(network::cut);
    }

    void join() {
        links().forEach(network::join);
        tally.back();
    }

    void silence() {
        links().forEach(network::silence);
    }

    void unsilence() {
        links().forEach(network::unsilence);
        tally.back();
    }

    /** @param millis in each round trip; 0 ends it */
    void delayLink(int millis) {
        links().forEach(link -> network.setDistance(link, millis));
        tally.back();
    }

    private List<String> links() {
        return network.links().stream()
                .filter(link -> link.rows().contains(row.row().name()))
                .map(NetworkLink::name)
                .toList();
    }

    /** @param time for each answer, as {@code fault delay} takes it; {@code 0ms} ends it */
    void delayResponder(String time) {
        faults.set(name(Part.RESPONDER), Map.of("delay", time));
        tally.back();
    }

    /** Adds users who make one request each, and waits until each of them is answered. */
    void flood(int users, int calls) throws InterruptedException {
        long start = System.nanoTime();
        try (VerifiedLoad flood = new VerifiedLoad(port, row.row().name(), users, calls, 1, tally)) {
            flood.join(LONGEST_FLOOD);
        }
        remarks.add("answered after %.0f s".formatted((System.nanoTime() - start) / 1e9));
        tally.back();
    }

    /** Half of the clients ask for an array and half for lines. */
    void readSlowly(int clients, int calls, int seconds) throws IOException, InterruptedException {
        long right = RudeClients.readSlowly(
                port, VerifiedLoad.path(row.row().name(), calls), calls, clients, Duration.ofSeconds(seconds));
        remarks.add("%d of %d slow readers got it all right".formatted(right, clients));
        if (right < clients) {
            missed.add("%d slow readers got something else".formatted(clients - right));
        }
        tally.back();
    }

    void disconnect(int clients, int calls) throws IOException, InterruptedException {
        long start = System.nanoTime();
        RudeClients.disconnect(port, VerifiedLoad.path(row.row().name(), calls), clients);
        remarks.add("%d came and went in %.0f s".formatted(clients, (System.nanoTime() - start) / 1e9));
        tally.back();
    }

    private String name(Part part) {
        return part.of(row).orElseThrow();
    }

    private Member member(Part part) {
        String name = name(part);
        return stack.members().stream()
                .filter(member -> member.name().equals(name))
                .findFirst()
                .orElseThrow(() -> new StackException("The stack has no " + name));
    }
}

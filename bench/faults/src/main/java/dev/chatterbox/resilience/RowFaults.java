package dev.chatterbox.resilience;

import dev.chatterbox.control.StackFaults;
import dev.chatterbox.network.Toxiproxy;
import dev.chatterbox.processes.ChildProcess;
import dev.chatterbox.resilience.load.RequestRecorder;
import dev.chatterbox.resilience.load.RudeClients;
import dev.chatterbox.resilience.load.VerifiedLoad;
import dev.chatterbox.stack.Member;
import dev.chatterbox.stack.Steps;
import dev.chatterbox.stack.Target;
import java.io.IOException;
import java.net.Socket;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * The faults that a case can make in one row, and what the case observes meanwhile. The end of each fault is noted in
 * the recorder, which measures the recovery from that moment.
 */
final class RowFaults {

    /** The same time as {@code down} gives a process to end. */
    private static final Duration GRACE = Duration.ofSeconds(10);

    private static final Duration LONGEST_FLOOD = Duration.ofMinutes(3);

    private final StackFaults faults;
    private final LinkFaults links;
    private final Target.RowTarget row;
    private final RequestRecorder recorder;
    private final int port;

    /** Sentences with further facts besides the figures. */
    final List<String> remarks = new ArrayList<>();

    /** Sentences about what went wrong. */
    final List<String> missed = new ArrayList<>();

    /**
     * @param recorder of the load that runs on the row
     * @param port of the aggregator
     */
    RowFaults(StackFaults faults, Toxiproxy network, Target.RowTarget row, RequestRecorder recorder, int port) {
        this.faults = faults;
        this.links = new LinkFaults(network, row.row().name());
        this.row = row;
        this.recorder = recorder;
        this.port = port;
    }

    void pause(int seconds) throws InterruptedException {
        TimeUnit.SECONDS.sleep(seconds);
    }

    void kill(RowProcess process) {
        faults.kill(name(process));
    }

    void freeze(RowProcess process) {
        faults.freeze(name(process));
    }

    void resume(RowProcess process) {
        faults.resume(name(process));
        recorder.back();
    }

    void terminate(RowProcess process) {
        ChildProcess running = faults.stack().process(member(process)).orElseThrow();
        long start = System.nanoTime();
        running.stop(GRACE);
        double seconds = (System.nanoTime() - start) / 1e9;
        remarks.add("%s ended %.1f s after SIGTERM".formatted(process.text(), seconds));
        if (seconds >= GRACE.toSeconds()) {
            missed.add("%s did not end within %d s".formatted(process.text(), GRACE.toSeconds()));
        }
    }

    /** Starts a process that has ended. It is back when its port takes connections, before every row has answered. */
    void startAgain(RowProcess process) throws IOException, InterruptedException {
        startAgain(faults, member(process), recorder);
    }

    static void startAgain(StackFaults faults, Member member, RequestRecorder recorder)
            throws IOException, InterruptedException {
        Thread watch = new Thread(() -> awaitPort(member.port(), recorder), "await-" + member.name());
        watch.start();
        try {
            faults.restart(member.name(), Steps.SILENT);
        } finally {
            watch.interrupt();
            watch.join();
        }
    }

    private static void awaitPort(int listening, RequestRecorder recorder) {
        try {
            while (!takesConnections(listening)) {
                TimeUnit.MILLISECONDS.sleep(20);
            }
            recorder.back();
        } catch (InterruptedException e) {
            // The process was not started.
        }
    }

    private static boolean takesConnections(int listening) {
        try (Socket socket = new Socket("127.0.0.1", listening)) {
            return true;
        } catch (IOException notYet) {
            return false;
        }
    }

    void deleteData() {
        faults.stack().deleteData(member(RowProcess.BROKER));
    }

    void breakLinks(int seconds, Consumer<LinkFaults> fault) throws InterruptedException {
        fault.accept(links);
        pause(seconds);
        repairLinks();
    }

    /** Repairs all links that this case has broken. */
    void repairLinks() {
        try {
            links.repair();
        } finally {
            recorder.back();
        }
    }

    /** @param time the delay of each answer, as {@code fault delay} takes it; {@code 0ms} ends the delay */
    void delayResponder(String time) {
        faults.set(name(RowProcess.RESPONDER), Map.of("delay", time));
        recorder.back();
    }

    /** Adds users who make one request each, and waits until all requests are answered. */
    void flood(int users, int calls) throws InterruptedException {
        long start = System.nanoTime();
        try (VerifiedLoad flood = new VerifiedLoad(port, row.row().name(), users, calls, 1, recorder)) {
            flood.join(LONGEST_FLOOD);
        }
        remarks.add("answered after %.0f s".formatted((System.nanoTime() - start) / 1e9));
        recorder.back();
    }

    /** Half of the clients accept an array, and the other half accept lines. */
    void readSlowly(int clients, int calls, int seconds) throws IOException, InterruptedException {
        long right = RudeClients.readSlowly(
                port, VerifiedLoad.path(row.row().name(), calls), calls, clients, Duration.ofSeconds(seconds));
        remarks.add("%d of %d slow readers got it all right".formatted(right, clients));
        if (right < clients) {
            missed.add("%d slow readers got something else".formatted(clients - right));
        }
        recorder.back();
    }

    void disconnect(int clients, int calls) throws IOException, InterruptedException {
        long start = System.nanoTime();
        RudeClients.disconnect(port, VerifiedLoad.path(row.row().name(), calls), clients);
        remarks.add("%d came and went in %.0f s".formatted(clients, (System.nanoTime() - start) / 1e9));
        recorder.back();
    }

    private String name(RowProcess process) {
        return process.of(row).orElseThrow();
    }

    private Member member(RowProcess process) {
        return faults.member(name(process));
    }
}

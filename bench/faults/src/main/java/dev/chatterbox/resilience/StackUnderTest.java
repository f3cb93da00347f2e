package dev.chatterbox.resilience;

import dev.chatterbox.control.StackFaults;
import dev.chatterbox.network.Toxiproxy;
import dev.chatterbox.processes.Ports;
import dev.chatterbox.processes.ProcessException;
import dev.chatterbox.resilience.load.RequestRecorder;
import dev.chatterbox.stack.Steps;
import dev.chatterbox.stack.Target;
import dev.chatterbox.stack.Testbed;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;

/**
 * The running stack whose parts are broken.
 *
 * @param target the testbed's
 * @param faults of the testbed's stack
 * @param chosen names of the variants that are tested; others of the stack are there to show whether they feel a fault
 * @param deadline of a call
 */
public record StackUnderTest(
        Testbed testbed, Target target, StackFaults faults, List<String> chosen, Duration deadline, Steps steps) {

    /** @throws ProcessException the stack was started without a network whose links can be broken */
    Toxiproxy network() {
        return testbed.network().orElseThrow(() -> new ProcessException("The stack has no network."));
    }

    /** Of the aggregator. */
    int port() {
        return target.aggregator().first().port();
    }

    /** Those of the tested variants that a scenario is for. */
    List<Target.VariantTarget> variants(Predicate<Target.VariantTarget> which) {
        return target.variants().stream()
                .filter(variant -> chosen.contains(variant.name()) && which.test(variant))
                .toList();
    }

    /** The longest time in seconds after which an error may come. */
    double longestError() {
        return deadline.toMillis() / 1e3 + 1;
    }

    /** Runs an attempt, and shows the reason if it failed. */
    void attempt(Attempt attempt) throws InterruptedException {
        failure(attempt).ifPresent(steps::line);
    }

    /** Runs an attempt, and returns the reason if it failed. */
    Optional<String> failure(Attempt attempt) throws InterruptedException {
        return Attempt.failure(steps, attempt);
    }

    /**
     * Starts a process that has ended. It is back when its port takes connections, before every variant has answered.
     */
    void startAgain(String name, RequestRecorder recorder) throws IOException, InterruptedException {
        int port = faults.member(name).port();
        Thread watch = new Thread(() -> awaitPort(port, recorder), "await-" + name);
        watch.start();
        try {
            faults.restart(name, Steps.SILENT);
        } finally {
            watch.interrupt();
            watch.join();
        }
    }

    private static void awaitPort(int port, RequestRecorder recorder) {
        try {
            while (!Ports.accepts(port)) {
                TimeUnit.MILLISECONDS.sleep(20);
            }
            recorder.back();
        } catch (InterruptedException e) {
            // The process was not started.
        }
    }
}

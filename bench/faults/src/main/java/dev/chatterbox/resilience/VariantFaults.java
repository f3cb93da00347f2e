package dev.chatterbox.resilience;

import dev.chatterbox.resilience.load.CheckedLoad;
import dev.chatterbox.resilience.load.RequestRecorder;
import dev.chatterbox.stack.Target;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * The faults that a case can make in one variant, and what the case observes meanwhile. The end of each fault is noted
 * in the recorder, which measures the recovery from that moment.
 */
final class VariantFaults {

    /** The same time as {@code down} gives a process to end. */
    static final Duration GRACE = Duration.ofSeconds(10);

    private static final Duration LONGEST_FLOOD = Duration.ofMinutes(3);

    private final StackUnderTest stack;
    private final LinkFaults links;
    private final Target.VariantTarget variant;
    private final RequestRecorder recorder;

    /** Sentences with further facts besides the figures. */
    final List<String> remarks = new ArrayList<>();

    /** Sentences about what went wrong. */
    final List<String> missed = new ArrayList<>();

    /** @param recorder of the load that runs on the variant */
    VariantFaults(StackUnderTest stack, Target.VariantTarget variant, RequestRecorder recorder) {
        this.stack = stack;
        this.links = new LinkFaults(stack.network(), variant.name());
        this.variant = variant;
        this.recorder = recorder;
    }

    void pause(int seconds) throws InterruptedException {
        TimeUnit.SECONDS.sleep(seconds);
    }

    void kill(VariantProcess process) {
        stack.faults().kill(name(process));
    }

    void freeze(VariantProcess process) {
        stack.faults().freeze(name(process));
    }

    void resume(VariantProcess process) {
        stack.faults().resume(name(process));
        recorder.back();
    }

    void terminate(VariantProcess process) {
        long start = System.nanoTime();
        stack.faults().running(name(process)).stop(GRACE);
        double seconds = (System.nanoTime() - start) / 1e9;
        remarks.add("%s ended %.1f s after SIGTERM".formatted(process.text(), seconds));
        if (seconds >= GRACE.toSeconds()) {
            missed.add("%s did not end within %d s".formatted(process.text(), GRACE.toSeconds()));
        }
    }

    void startAgain(VariantProcess process) throws IOException, InterruptedException {
        stack.startAgain(name(process), recorder);
    }

    void deleteData() {
        stack.testbed().stack().deleteData(stack.faults().member(name(VariantProcess.BROKER)));
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
        stack.faults().set(name(VariantProcess.RESPONDER), Map.of("delay", time));
        recorder.back();
    }

    /** Adds users who make one request each, and waits until all requests are answered. */
    void flood(int users, int calls) throws InterruptedException {
        long start = System.nanoTime();
        try (CheckedLoad flood = new CheckedLoad(stack.port(), calls)) {
            flood.once(variant.name(), users, recorder, LONGEST_FLOOD);
        }
        remarks.add("answered after %.0f s".formatted((System.nanoTime() - start) / 1e9));
        recorder.back();
    }

    private String name(VariantProcess process) {
        return process.of(variant).orElseThrow();
    }
}

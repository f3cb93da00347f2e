package dev.chatterbox.load;

import com.sun.management.OperatingSystemMXBean;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A step under way. Gatling's users send and record on their event loops; one thread, {@link #conduct}, moves the
 * step through its phases by the clock. Whoever ends a request adds it to the tally of the phase that runs at that
 * moment.
 */
final class StepRun {

    private static final Logger LOG = LoggerFactory.getLogger(StepRun.class);

    private static final OperatingSystemMXBean PROCESS =
            ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class);

    /** Users of the open model still arrive so long after the window, or one that ends late would lack some. */
    private static final double BEYOND_SECONDS = 0.25;

    private enum Phase {
        WARM_UP,
        MEASURE,
        DRAIN
    }

    final Step step;
    final ExpectedAnswer expected;
    private final LoadPlan plan;
    private final PlanListener progress;
    private final String warmUpName;
    private final long timeoutNanos;
    private final @Nullable Arrivals arrivals;
    private final double unwatchedSeconds;

    private final AtomicInteger joined = new AtomicInteger();
    private final CountDownLatch usersPresent;
    private final CountDownLatch begun = new CountDownLatch(1);
    private final CountDownLatch ended = new CountDownLatch(1);
    private final LongAdder started = new LongAdder();
    private final AtomicBoolean failureShown = new AtomicBoolean();
    private final List<Tally> tallies = new ArrayList<>();
    private volatile Tally tally;
    private volatile Phase phase = Phase.WARM_UP;
    private volatile long arrived;

    StepRun(LoadPlan plan, Step step, PlanListener progress) {
        this.plan = plan;
        this.step = step;
        this.progress = progress;
        this.expected = new ExpectedAnswer(step.workload().calls());
        this.warmUpName = step.id() + " (warm-up)";
        this.timeoutNanos = nanos(plan.timeoutSeconds());
        this.arrivals = step.rate() == null ? null : new Arrivals(step.rate(), openSeconds());
        this.unwatchedSeconds = unwatchedSeconds();
        this.usersPresent = new CountDownLatch(users());
        this.tally = enter(Phase.WARM_UP);
    }

    /** All that will ever join. */
    int users() {
        return arrivals != null ? arrivals.users() : step.users();
    }

    /** How long users arrive in the open model; Gatling injects for whole seconds. */
    int openSeconds() {
        return (int) Math.ceil(openWarmUpSeconds() + plan.measureSeconds(step) + BEYOND_SECONDS);
    }

    private double openWarmUpSeconds() {
        WarmUpRule warmUp = plan.warmUp(step);
        return warmUp.openWindows() * warmUp.windowSeconds();
    }

    /**
     * The start of the warm-up, before its first window. In the open model: what rounding to whole seconds leaves. In
     * the closed model: Gatling looks once a second whether the next step may start. A step of whole seconds and a
     * bit, for the drain, would leave it idle for the rest of a second; this half second rather goes into the
     * warm-up.
     */
    private double unwatchedSeconds() {
        if (arrivals != null) {
            return openSeconds() - BEYOND_SECONDS - plan.measureSeconds(step) - openWarmUpSeconds();
        }
        WarmUpRule warmUp = plan.warmUp(step);
        double known = plan.measureSeconds(step) + (warmUp.isFixed() ? warmUp.maxSeconds() : 0);
        double beyondHalf = 0.5 - known;
        return beyondHalf - Math.floor(beyondHalf);
    }

    // The users' side.

    /** @param previous must have ended before this one shows a sign of life */
    UserRequest join(@Nullable StepRun previous) {
        if (joined.getAndIncrement() == 0) {
            arrived = System.nanoTime();
            if (previous != null) {
                previous.awaitEnd();
            }
            progress.warmUp(step);
            Thread conductor = new Thread(this::conduct, "step " + step.id());
            conductor.setDaemon(true);
            conductor.start();
            begun.countDown();
        }
        await(begun);
        return new UserRequest();
    }

    boolean isOpenForRequests() {
        return phase != Phase.DRAIN;
    }

    void start(UserRequest request) {
        started.increment();
        request.start(phase == Phase.MEASURE ? step.id() : warmUpName, arrivals);
    }

    void end(UserRequest request) {
        Judgement judgement = request.end(timeoutNanos);
        tally.add(judgement, request.latencyNanos());
        if (!judgement.isRight() && failureShown.compareAndSet(false, true)) {
            LOG.warn(
                    "Step {}: the first request that failed: {} {}",
                    step.id(),
                    judgement.message(),
                    judgement.detail() == null ? "" : "(" + judgement.detail() + ")");
        }
    }

    void leave() {
        usersPresent.countDown();
    }

    // The conductor's side.

    private void conduct() {
        try {
            StepResult.WarmedUp warmedUp = warmUp();

            progress.measure(step);
            long startedBefore = started.sum();
            long cpuBefore = PROCESS.getProcessCpuTime();
            ThreadTimes threadsBefore = ThreadTimes.now();
            Tally window = enter(Phase.MEASURE);
            long begin = System.nanoTime();
            sleepUntil(begin + nanos(plan.measureSeconds(step)));
            enter(Phase.DRAIN);
            double seconds = secondsSince(begin);
            long cpu = PROCESS.getProcessCpuTime() - cpuBefore;
            double busiestThread = ThreadTimes.now().busiestSince(threadsBefore);
            long startedInWindow = started.sum() - startedBefore;
            progress.measured(step);

            // Only now is a tally read for good: a user may have held the old one when the phase changed.
            usersPresent.await();
            Tally total = new Tally();
            tallies.forEach(total::addCounts);
            progress.ended(
                    step,
                    new StepResult(
                            step.id(),
                            seconds,
                            window.requests(),
                            window.failed(),
                            window.failures(),
                            total.requests(),
                            total.failed(),
                            total.failures(),
                            window.latency(),
                            window.buckets(),
                            cpu / 1e9,
                            busiestThread,
                            warmedUp,
                            arrivals == null ? null : startedInWindow / seconds));
            progress.awaitNext(step);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (RuntimeException e) {
            LOG.error("Step {} cannot go on", step.id(), e);
        } finally {
            phase = Phase.DRAIN;
            ended.countDown();
        }
    }

    private StepResult.WarmedUp warmUp() throws InterruptedException {
        WarmUpRule rule = plan.warmUp(step);
        // Users of the open model began to arrive while the step before was still being counted.
        long begin = arrivals == null ? System.nanoTime() : arrived;
        long deadline = begin + nanos(unwatchedSeconds);
        sleepUntil(deadline);
        List<Double> rates = new ArrayList<>();
        do {
            Tally window = enter(Phase.WARM_UP);
            long windowBegin = System.nanoTime();
            deadline += nanos(rule.windowSeconds());
            sleepUntil(deadline);
            rates.add(window.requests() / secondsSince(windowBegin));
        } while (arrivals == null
                ? !rule.isOver(secondsSince(begin), rates) && !progress.isWarm(step)
                : rates.size() < rule.openWindows());
        return new StepResult.WarmedUp(secondsSince(begin), rule.isStable(rates), rates);
    }

    private Tally enter(Phase next) {
        Tally entered = new Tally();
        tallies.add(entered);
        tally = entered;
        phase = next;
        return entered;
    }

    void awaitEnd() {
        await(ended);
    }

    private static void sleepUntil(long nanoTime) throws InterruptedException {
        TimeUnit.NANOSECONDS.sleep(nanoTime - System.nanoTime());
    }

    private static double secondsSince(long nanoTime) {
        return (System.nanoTime() - nanoTime) / 1e9;
    }

    private static long nanos(double seconds) {
        return Math.round(seconds * 1e9);
    }

    private static void await(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }
}

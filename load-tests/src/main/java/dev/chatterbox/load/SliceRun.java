package dev.chatterbox.load;

import dev.chatterbox.load.Residents.Call;
import dev.chatterbox.workloads.Load;
import dev.chatterbox.workloads.Slice;
import dev.chatterbox.workloads.SliceResult;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A slice under way. Closed model: the slice calls its users, and each makes the next request until none is left. Open
 * model: a thread calls a user for each request at its intended time. A request that finds no user free begins late,
 * and its latency includes the wait (coordinated omission).
 *
 * <p>One lock is enough: some threads take it twice per request, for some hundred nanoseconds. With one lock, counts and
 * histogram always agree.
 */
final class SliceRun {

    private static final Logger LOG = LoggerFactory.getLogger(SliceRun.class);

    private final Slice slice;
    private final Residents residents;
    final ExpectedAnswer expected;
    private final List<String> urls;
    private final AtomicInteger turn = new AtomicInteger();
    /** The name of its requests in Gatling's report. */
    final String name;

    private final long timeoutNanos;
    private final Thread arrivals;
    private final Tally tally = new Tally();
    private final CompletableFuture<SliceResult> result = new CompletableFuture<>();
    private final ThreadTimes threads = ThreadTimes.now();
    private long begin = System.nanoTime();
    private long end = begin;
    private long begun;
    /** How many users were called and are not parked again; the arrivals' thread counts as one of them. */
    private int present;

    private volatile boolean stopped;

    SliceRun(Slice slice, String baseUrl, ExpectedAnswer expected, long timeoutNanos, Residents residents) {
        this.slice = slice;
        this.expected = expected;
        this.timeoutNanos = timeoutNanos;
        this.residents = residents;
        String path = slice.workload().path(slice.variant());
        urls = Stream.of((slice.baseUrl().isEmpty() ? baseUrl : slice.baseUrl()).split(","))
                .map(url -> url + path)
                .toList();
        name = slice.variant() + " " + slice.workload() + (slice.isWarmUp() ? " (warm-up)" : "");
        arrivals = new Thread(this::arrive, "arrivals");
        arrivals.setDaemon(true);
    }

    /** @return completes when all users are parked again */
    CompletableFuture<SliceResult> start() {
        present = users();
        if (isOpen()) {
            arrivals.start();
        } else {
            for (int user = 0; user < users(); user++) {
                residents.call(new Call(this, begin));
            }
        }
        return result;
    }

    /** Where the next request goes: to each aggregator in turn. */
    String url() {
        return urls.get(urls.size() == 1 ? 0 : Math.floorMod(turn.getAndIncrement(), urls.size()));
    }

    /** Lets no further request begin. */
    void stop() {
        stopped = true;
        LockSupport.unpark(arrivals);
    }

    private void arrive() {
        double rate = ((Load.Rate) slice.workload().load()).perSecond();
        begin = System.nanoTime();
        end = begin;
        for (long request = 0; request < slice.mostRequests(); request++) {
            long intended = Math.round(request / rate * 1e9);
            sleepUntil(begin + Math.min(intended, slice.mostNanos()));
            if (stopped || intended >= slice.mostNanos()) {
                break;
            }
            synchronized (this) {
                present++;
            }
            residents.call(new Call(this, begin + intended));
        }
        leave();
    }

    private void sleepUntil(long nanoTime) {
        for (long left; !stopped && (left = nanoTime - System.nanoTime()) > 0; ) {
            LockSupport.parkNanos(this, left);
        }
    }

    // The users call the methods from here on, each on its own event loop.

    /** Begins the user's next request; false if there is no request for it. */
    synchronized boolean begin(Resident resident) {
        long now = System.nanoTime();
        boolean over = stopped || now - begin >= slice.mostNanos();
        if (isOpen() && over) {
            end = now;
            tally.add(Judgement.UNSENT, resident.latencyNanos(now));
            return false;
        }
        if (over || begun == slice.mostRequests()) {
            return false;
        }
        if (begun++ == 0) {
            begin = isOpen() ? begin : now;
        }
        resident.start(now);
        return true;
    }

    /** @return whether the answer to the user's request was right */
    boolean end(Resident resident) {
        Judgement judgement = resident.end(timeoutNanos);
        synchronized (this) {
            if (!judgement.isRight() && !tally.hasFailures()) {
                LOG.warn(
                        "Slice {}: the first request that failed: {} {}",
                        slice.id(),
                        judgement.message(),
                        judgement.detail() == null ? "" : "(" + judgement.detail() + ")");
            }
            tally.add(judgement, resident.latencyNanos(resident.endNanoTime()));
            end = resident.endNanoTime() - end > 0 ? resident.endNanoTime() : end;
        }
        return judgement.isRight();
    }

    /** Notes that one of the present users is parked again. */
    void leave() {
        synchronized (this) {
            if (--present > 0) {
                return;
            }
        }
        result.completeAsync(this::result);
    }

    private synchronized SliceResult result() {
        double busiest = ThreadTimes.now().busiestSince(threads);
        return tally.result(slice.id(), (end - begin) / 1e9, busiest);
    }

    /** How many users it needs at least. */
    int users() {
        return slice.workload().load() instanceof Load.Users users ? users.count() : 1;
    }

    boolean isOpen() {
        return slice.workload().isOpen();
    }
}

package dev.chatterbox.load;

import io.gatling.http.response.Response;
import io.gatling.javaapi.core.Session;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A user who lives for the whole run, with its request under way. Each user is one object that is changed in place: a
 * session attribute for each value would copy the session's map three times per request. A user has one request at a
 * time, and everything of a user happens on its own event loop.
 *
 * <p><b>Where the clock is read.</b> {@link #start} runs in the action before the request, on the thread that then
 * builds and writes it: between the two lies only Gatling's own work, a few microseconds (and, for a user's first
 * request, the connection). {@link #answered} runs in Gatling's response transformer, which is our first code that sees
 * a response: on the thread that read its last byte, before checks, statistics and the next action. Gatling reads its
 * own clock, in whole milliseconds, at the same two places. A response that is never complete reaches no transformer;
 * then the action after the request is the first to know.
 */
final class Resident {

    private static final String ATTRIBUTE = "resident";

    /** Gatling's session of the user. Every action of Gatling makes a new object of it. */
    io.gatling.core.session.Session session;

    private @Nullable SliceRun run;
    /** When the request should start; in the closed model, when it started. */
    private long intendedStart;

    private long start;
    private long end;
    private @Nullable Judgement judgement;

    /** @param session a session without the user's attribute, which it gets here */
    Resident(io.gatling.core.session.Session session) {
        this.session = session.set(ATTRIBUTE, this);
    }

    static @Nullable Resident find(io.gatling.core.session.Session session) {
        return new Session(session).get(ATTRIBUTE);
    }

    static Resident of(Session session) {
        return Objects.requireNonNull(session.get(ATTRIBUTE));
    }

    void call(SliceRun run, long intendedStart) {
        this.run = run;
        this.intendedStart = intendedStart;
    }

    /** The slice for which the user works. */
    SliceRun run() {
        return Objects.requireNonNull(run);
    }

    void start(long nanoTime) {
        judgement = null;
        start = nanoTime;
        if (!run().isOpen()) {
            intendedStart = nanoTime;
        }
    }

    void answered(Response response) {
        end = System.nanoTime();
        judgement = Judgement.OTHER; // if the next statement throws
        judgement = run().expected
                .judge(
                        response.status().code(),
                        response.headers(),
                        response.body().bytes());
    }

    /** @param timeoutNanos the request's timeout; Gatling does not tell a session why there was no response */
    Judgement end(long timeoutNanos) {
        if (judgement == null) {
            end = System.nanoTime();
            judgement = end - start >= timeoutNanos ? Judgement.TIMEOUT : Judgement.CONNECT;
        }
        return judgement;
    }

    /** When its request ended, by {@link System#nanoTime}. */
    long endNanoTime() {
        return end;
    }

    /** The time from the intended start. */
    long latencyNanos(long until) {
        return until - intendedStart;
    }

    /** The text for Gatling's check. */
    String message() {
        return judgement == null ? Judgement.OTHER.message() : judgement.message();
    }
}

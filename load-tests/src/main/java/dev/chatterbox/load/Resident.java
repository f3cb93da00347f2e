package dev.chatterbox.load;

import io.gatling.http.response.Response;
import io.gatling.javaapi.core.Session;
import org.jspecify.annotations.Nullable;

/**
 * A user who lives for the whole run, with its request under way: one object a user, changed in place, since a session
 * attribute a value would copy the session's map three times a request. A user has one request at a time, and
 * everything of a user happens on its own event loop.
 *
 * <p><b>Where the clock is read.</b> {@link #start} runs in the action before the request, on the thread that then
 * builds and writes it: between the two lies only Gatling's own work, a few microseconds (and, for a user's first
 * request, the connection). {@link #answered} runs in Gatling's response transformer, the first code of ours that
 * sees a response: on the thread that read its last byte, before checks, statistics and the next action. Gatling
 * reads its own clock, in whole milliseconds, at the same two places. A response that never comes whole reaches no
 * transformer: then the action after the request is the first to know.
 */
final class Resident {

    private static final String ATTRIBUTE = "resident";

    private io.gatling.core.session.Session session;
    private Residents.@Nullable Call call;
    private long start;
    private long end;
    private @Nullable Judgement judgement;

    /** @param session without the user's attribute, which it gets here */
    Resident(io.gatling.core.session.Session session) {
        this.session = session.set(ATTRIBUTE, this);
    }

    static @Nullable Resident find(io.gatling.core.session.Session session) {
        return new Session(session).get(ATTRIBUTE);
    }

    static Resident of(Session session) {
        Resident resident = session.get(ATTRIBUTE);
        if (resident == null) {
            throw new IllegalStateException("this user is no resident");
        }
        return resident;
    }

    io.gatling.core.session.Session session() {
        return session;
    }

    /** The session comes out of every action as a new object. */
    void session(io.gatling.core.session.Session session) {
        this.session = session;
    }

    void call(Residents.Call call) {
        this.call = call;
    }

    Residents.Call call() {
        if (call == null) {
            throw new IllegalStateException("nobody has called this user");
        }
        return call;
    }

    void start(long nanoTime) {
        judgement = null;
        start = nanoTime;
    }

    void answered(Response response) {
        end = System.nanoTime();
        judgement = Judgement.OTHER; // should what follows throw
        judgement = call().run()
                .expected()
                .judge(
                        response.status().code(),
                        response.headers(),
                        response.body().bytes());
    }

    /** @param timeoutNanos what the request was given; Gatling does not tell a session why there was no response */
    Judgement end(long timeoutNanos) {
        if (judgement == null) {
            end = System.nanoTime();
            judgement = end - start >= timeoutNanos ? Judgement.TIMEOUT : Judgement.CONNECT;
        }
        return judgement;
    }

    /** Of the request that has ended. */
    long startNanoTime() {
        return start;
    }

    long endNanoTime() {
        return end;
    }

    /** For Gatling's check. */
    String message() {
        return judgement == null ? Judgement.OTHER.message() : judgement.message();
    }
}

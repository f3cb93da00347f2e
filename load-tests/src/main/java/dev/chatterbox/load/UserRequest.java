package dev.chatterbox.load;

import io.gatling.http.response.Response;
import io.gatling.javaapi.core.Session;
import org.jspecify.annotations.Nullable;

/**
 * A user's request under way, in the user's session: one object a user, changed in place, since a session attribute a
 * value would copy the session's map three times a request. A user has one request at a time, and everything of a
 * user happens on its own event loop.
 *
 * <p><b>Where the clock is read.</b> {@link #start} runs in the action before the request, on the thread that then
 * builds and writes it: between the two lies only Gatling's own work, a few microseconds (and, for a user's first
 * request, the connection). {@link #answered} runs in Gatling's response transformer, the first code of ours that
 * sees a response: on the thread that read its last byte, before checks, statistics and the next action. Gatling
 * reads its own clock, in whole milliseconds, at the same two places. A response that never comes whole reaches no
 * transformer: then the action after the request is the first to know.
 */
final class UserRequest {

    private static final String ATTRIBUTE = "request";

    private String name = "";
    private long intendedStart;
    private long start;
    private long end;
    private @Nullable Judgement judgement;

    Session putInto(Session session) {
        return session.set(ATTRIBUTE, this);
    }

    static UserRequest of(Session session) {
        UserRequest request = session.get(ATTRIBUTE);
        if (request == null) {
            throw new IllegalStateException("the user has not joined a step");
        }
        return request;
    }

    /** @param arrivals null in the closed model, where a request is meant to start when it does */
    void start(String requestName, @Nullable Arrivals arrivals) {
        name = requestName;
        judgement = null;
        start = System.nanoTime();
        intendedStart = arrivals == null ? start : arrivals.next(start);
    }

    void answered(Response response, ExpectedAnswer expected) {
        end = System.nanoTime();
        judgement = Judgement.OTHER; // should what follows throw
        judgement = expected.judge(
                response.status().code(), response.headers(), response.body().bytes());
    }

    /** @param timeoutNanos what the request was given; Gatling does not tell a session why there was no response */
    Judgement end(long timeoutNanos) {
        if (judgement == null) {
            end = System.nanoTime();
            judgement = end - start >= timeoutNanos ? Judgement.TIMEOUT : Judgement.CONNECT;
        }
        return judgement;
    }

    long latencyNanos() {
        return end - intendedStart;
    }

    /** The request's name in Gatling's report. */
    String name() {
        return name;
    }

    /** For Gatling's check. */
    String message() {
        return judgement == null ? Judgement.OTHER.message() : judgement.message();
    }

    boolean isRight() {
        return judgement != null && judgement.isRight();
    }
}

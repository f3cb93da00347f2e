package dev.chatterbox.load;

import static io.gatling.javaapi.core.CoreDsl.atOnceUsers;
import static io.gatling.javaapi.core.CoreDsl.exec;
import static io.gatling.javaapi.core.CoreDsl.scenario;
import static io.gatling.javaapi.http.HttpDsl.http;
import static io.gatling.javaapi.http.HttpDsl.status;

import dev.chatterbox.transport.CallMode;
import dev.chatterbox.workloads.Slice;
import dev.chatterbox.workloads.WorkloadException;
import io.gatling.javaapi.core.ActionBuilder;
import io.gatling.javaapi.core.ChainBuilder;
import io.gatling.javaapi.core.Simulation;
import io.gatling.javaapi.http.HttpProtocolBuilder;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One Gatling scenario of users who live for the whole run, each with a connection of its own, and a thread that gives
 * them slices. A slice is no scenario or injection profile, because Gatling injects in whole seconds.
 */
abstract class LoadSimulation extends Simulation {

    private static final Logger LOG = LoggerFactory.getLogger(LoadSimulation.class);

    /** The value of the header of all requests, for an aggregator behind a proxy that asks for one. */
    private static final String AUTHORIZATION = "CHATTERBOX_TARGET_AUTHORIZATION";

    private final Residents residents = new Residents();
    private final Map<Integer, ExpectedAnswer> answers = new ConcurrentHashMap<>();
    private final Thread slices = new Thread(this::serveAll, "slices");
    private final String baseUrl;
    private final int users;
    private final Duration timeout;
    private volatile @Nullable Exception failure;

    /** Gatling's set-up, for assertions about all requests of the run. */
    final SetUp gatling;

    LoadSimulation(String baseUrl, int users, double requestTimeoutSeconds) {
        this.baseUrl = baseUrl;
        this.users = users;
        timeout = Duration.ofMillis(Math.round(requestTimeoutSeconds * 1000));
        gatling = setUp(scenario("residents")
                .forever()
                .on(exec((ActionBuilder) () -> residents), request())
                .injectOpen(atOnceUsers(users))
                .protocols(protocol()));
    }

    /** Gives the users slices until there are no more; then the users leave, and Gatling ends. */
    abstract void serve() throws Exception;

    /** @throws WorkloadException the slice needs more users than there are */
    final SliceRun run(Slice slice) {
        int calls = slice.workload().calls();
        if (slice.workload().mode() == CallMode.QUEUE) {
            throw new WorkloadException(
                    "One-way messages are measured by ./chatterbox compare --workload 'queue calls=10000'.");
        }
        ExpectedAnswer expected = answers.computeIfAbsent(calls, ExpectedAnswer::new);
        SliceRun run = new SliceRun(slice, baseUrl, expected, timeout.toNanos(), residents);
        if (run.users() > users) {
            throw new WorkloadException("the slice %s has %d users, but the generator was started with %d"
                    .formatted(slice.id(), run.users(), users));
        }
        return run;
    }

    private void serveAll() {
        try {
            serve();
        } catch (Exception e) {
            LOG.error("No more slices are served", e);
            failure = e;
        } finally {
            residents.close();
        }
    }

    @Override
    public void before() {
        slices.setDaemon(true);
        slices.start();
    }

    @Override
    public void after() {
        Exception e = failure;
        if (e != null) {
            throw new IllegalStateException(e);
        }
    }

    private ChainBuilder request() {
        return exec(http(session -> Resident.of(session).run().name)
                .get(session -> Resident.of(session).run().url())
                .requestTimeout(timeout)
                .check(status().transformWithSession(
                                (status, session) -> Resident.of(session).message())
                        .is(Judgement.RIGHT.message())
                        .name("answer")));
    }

    /** HTTP/1.1, kept alive, no pipelining, no redirects; no Accept-Encoding, so nothing is compressed. */
    private static HttpProtocolBuilder protocol() {
        HttpProtocolBuilder protocol = http.acceptHeader("application/json")
                .userAgentHeader("chatterbox-load-tests")
                .disableFollowRedirect()
                .disableCaching()
                .disableAutoReferer()
                .disableAutoOrigin()
                .disableWarmUp()
                .transformResponse((response, session) -> {
                    Resident.of(session).answered(response);
                    return response;
                });
        String authorization = authorization();
        return authorization.isEmpty() ? protocol : protocol.authorizationHeader(authorization);
    }

    /** What requests carry as their header Authorization; empty for none. */
    static String authorization() {
        return System.getenv().getOrDefault(AUTHORIZATION, "").strip();
    }
}

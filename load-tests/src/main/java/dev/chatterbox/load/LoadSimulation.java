package dev.chatterbox.load;

import static io.gatling.javaapi.core.CoreDsl.atOnceUsers;
import static io.gatling.javaapi.core.CoreDsl.constantUsersPerSec;
import static io.gatling.javaapi.core.CoreDsl.exec;
import static io.gatling.javaapi.core.CoreDsl.pause;
import static io.gatling.javaapi.core.CoreDsl.scenario;
import static io.gatling.javaapi.http.HttpDsl.http;
import static io.gatling.javaapi.http.HttpDsl.status;

import io.gatling.javaapi.core.ChainBuilder;
import io.gatling.javaapi.core.PopulationBuilder;
import io.gatling.javaapi.core.Simulation;
import io.gatling.javaapi.http.HttpProtocolBuilder;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A plan as a Gatling simulation: a scenario a step, each begun when the last user of the one before has gone.
 *
 * <p>Closed model: all users start at once, and each sends one request after the other over its own connection until
 * the step says stop. Open model: a user a request, injected at a constant rate whatever becomes of those before;
 * they share kept-alive connections, as many as are needed at once, for thousands of new ones a second would exhaust
 * the ports.
 */
abstract class LoadSimulation extends Simulation {

    /** So that a server that is down is not drowned in attempts; the step is spoiled anyway. */
    private static final Duration PAUSE_AFTER_FAILURE = Duration.ofMillis(100);

    private final LoadPlan plan;
    private final PlanListener progress;
    private final List<StepRun> runs = new ArrayList<>();
    private final SetUp setUp;

    LoadSimulation(LoadPlan plan, PlanListener progress) {
        this.plan = plan;
        this.progress = progress;
        plan.steps().forEach(step -> runs.add(new StepRun(plan, step, progress)));
        this.setUp = setUp(chained(0));
    }

    /** For assertions. */
    final SetUp gatling() {
        return setUp;
    }

    @Override
    public void before() {
        progress.ready();
    }

    @Override
    public void after() {
        runs.get(runs.size() - 1).awaitEnd();
        progress.done();
    }

    private PopulationBuilder chained(int index) {
        PopulationBuilder population = population(runs.get(index), index == 0 ? null : runs.get(index - 1));
        return index + 1 == runs.size() ? population : population.andThen(chained(index + 1));
    }

    private PopulationBuilder population(StepRun run, @Nullable StepRun previous) {
        ChainBuilder join = exec(session -> run.join(previous).putInto(session));
        ChainBuilder leave = exec(session -> {
            run.leave();
            return session;
        });
        Double rate = run.step.rate();
        if (rate != null) {
            return scenario(run.step.id())
                    .exec(join)
                    .doIf(session -> run.isOpenForRequests())
                    .then(request(run))
                    .exec(leave)
                    .injectOpen(constantUsersPerSec(rate).during(run.openSeconds()))
                    .protocols(protocol(run).shareConnections());
        }
        return scenario(run.step.id())
                .exec(join)
                .asLongAs(session -> run.isOpenForRequests())
                .on(exec(request(run))
                        .doIf(session -> !UserRequest.of(session).isRight())
                        .then(pause(PAUSE_AFTER_FAILURE)))
                .exec(leave)
                .injectOpen(atOnceUsers(run.users()))
                .protocols(protocol(run));
    }

    private ChainBuilder request(StepRun run) {
        return exec(session -> {
                    run.start(UserRequest.of(session));
                    return session;
                })
                .exec(http(session -> UserRequest.of(session).name())
                        .get(run.step.path())
                        .requestTimeout(Duration.ofMillis(Math.round(plan.timeoutSeconds() * 1000)))
                        .check(status().transformWithSession((status, session) ->
                                        UserRequest.of(session).message())
                                .is(Judgement.RIGHT.message())
                                .name("answer")))
                .exec(session -> {
                    run.end(UserRequest.of(session));
                    return session;
                });
    }

    /** HTTP/1.1, kept alive, no pipelining, no redirects; no Accept-Encoding, so nothing is compressed. */
    private HttpProtocolBuilder protocol(StepRun run) {
        return http.baseUrl(plan.baseUrl())
                .acceptHeader("application/json")
                .userAgentHeader("chatterbox-load-tests")
                .disableFollowRedirect()
                .disableCaching()
                .disableAutoReferer()
                .disableAutoOrigin()
                .disableWarmUp()
                .transformResponse((response, session) -> {
                    UserRequest.of(session).answered(response, run.expected);
                    return response;
                });
    }
}

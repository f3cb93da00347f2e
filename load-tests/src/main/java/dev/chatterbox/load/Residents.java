package dev.chatterbox.load;

import com.typesafe.scalalogging.Logger;
import io.gatling.core.action.Action;
import io.gatling.core.action.builder.ActionBuilder;
import io.gatling.core.session.Session;
import io.gatling.core.structure.ScenarioContext;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.TimeUnit;
import org.slf4j.LoggerFactory;

/**
 * The users of Gatling's one scenario, who live for the whole run, and Gatling's action before each of their requests.
 * A user without a request to make is parked: it is an object in a queue and costs nothing. The user who was parked
 * last is called first. So few connections serve a low rate, and slices of equally many users have the same users.
 */
@SuppressWarnings("NullAway.Init") // Gatling builds the action before there is a user, and sets its logger itself
final class Residents implements ActionBuilder, Action {

    /** The pause keeps a server that is down from being flooded with attempts; the slice does not count anyway. */
    private static final long PAUSE_AFTER_FAILURE_MILLIS = 100;

    /**
     * The work for which a slice calls a user: one request of the open model, or in the closed model one after the
     * other.
     *
     * @param intendedStart when the open model's request should start, by {@link System#nanoTime}
     */
    record Call(SliceRun run, long intendedStart) {}

    private final Deque<Resident> parked = new ArrayDeque<>();
    private final Deque<Call> waiting = new ArrayDeque<>();
    private boolean closed;
    private Action next;
    private Action exit;
    private Logger logger = Logger.apply(LoggerFactory.getLogger(Residents.class));

    /** Gives the call to a parked user, or else to the next user who has nothing to do. */
    void call(Call call) {
        Resident resident;
        synchronized (this) {
            resident = parked.poll();
            if (resident == null) {
                waiting.add(call);
                return;
            }
        }
        take(call, resident);
    }

    /** Lets every user leave Gatling's scenario: at once, or at the end of the slice for which it works. */
    void close() {
        Deque<Resident> leaving;
        synchronized (this) {
            closed = true;
            leaving = new ArrayDeque<>(parked);
            parked.clear();
        }
        leaving.forEach(resident -> exit.$bang(resident.session));
    }

    private void take(Call call, Resident resident) {
        resident.session.eventLoop().execute(() -> {
            resident.call(call.run(), call.intendedStart());
            begin(resident, call.run());
        });
    }

    private void begin(Resident resident, SliceRun run) {
        if (run.begin(resident)) {
            next.$bang(resident.session);
        } else {
            leave(resident, run);
        }
    }

    private void leave(Resident resident, SliceRun run) {
        park(resident);
        run.leave();
    }

    private void park(Resident resident) {
        Call call;
        synchronized (this) {
            call = waiting.poll();
            if (call == null && !closed) {
                parked.push(resident);
                return;
            }
        }
        if (call == null) {
            exit.$bang(resident.session);
        } else {
            take(call, resident);
        }
    }

    /** Gatling calls this on the user's event loop: the user arrives, or its request has ended. */
    @Override
    public void execute(Session session) {
        Resident resident = Resident.find(session);
        if (resident == null) {
            park(new Resident(session));
            return;
        }
        resident.session = session;
        SliceRun run = resident.run();
        boolean right = run.end(resident);
        if (run.isOpen()) {
            leave(resident, run);
        } else if (right) {
            begin(resident, run);
        } else {
            session.eventLoop().schedule(() -> begin(resident, run), PAUSE_AFTER_FAILURE_MILLIS, TimeUnit.MILLISECONDS);
        }
    }

    @Override
    public Action build(ScenarioContext context, Action next) {
        this.next = next;
        exit = context.coreComponents().exit();
        return this;
    }

    @Override
    public String name() {
        return "park";
    }

    @Override
    public Logger logger() {
        return logger;
    }

    @Override
    public void com$typesafe$scalalogging$StrictLogging$_setter_$logger_$eq(Logger logger) {
        this.logger = logger;
    }
}

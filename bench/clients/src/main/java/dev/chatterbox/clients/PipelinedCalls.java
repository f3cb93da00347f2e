package dev.chatterbox.clients;

import com.google.protobuf.InvalidProtocolBufferException;
import dev.chatterbox.proto.Input;
import dev.chatterbox.proto.Output;
import dev.chatterbox.proto.Square;
import dev.chatterbox.transport.CallWork;
import dev.chatterbox.workloads.Slice;
import dev.chatterbox.workloads.SliceResult;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Drives a bare client library as fast as possible, without Spring or Reactor: a fixed number of calls is in flight,
 * and each reply causes the next call. The result is this machine's limit for the transport, with which the
 * aggregator's figures are compared. Of a slice, a request is one call, and the users are the calls in flight.
 *
 * <p>Every reply is checked. It finds its call by a correlation id, whose low bits are the call's slot. The slot's next
 * call has another id, so a doubled or late reply finds no call. It does not count as an answer; it counts as a
 * failure, {@code unmatched}.
 */
final class PipelinedCalls extends SliceProgram {

    /** The calls in flight of the largest slice; a power of two. */
    static final int MOST_IN_FLIGHT = Slice.MAX_USERS;

    private static final int LARGEST_NUMBER = 10_000;
    private static final int SLOT = MOST_IN_FLIGHT - 1;

    /** A call is lost if it has no reply after so many looks, which come once a second. */
    private static final int PATIENCE = 5;

    /** Sends the request of a call; its reply goes to the {@link PipelinedCalls} that the connector was given. */
    @FunctionalInterface
    interface Sender {
        void send(long id) throws Exception;
    }

    /** Connects to the broker or server that the environment names, and returns when requests can be sent. */
    @FunctionalInterface
    interface Connector {
        Sender connect(PipelinedCalls calls) throws Exception;
    }

    private final Connector connector;

    /** By slot, the id of the call in flight; without a call, the id of the next one with every bit inverted. */
    private final AtomicLongArray ids = new AtomicLongArray(MOST_IN_FLIGHT);

    private final long[] seen = new long[MOST_IN_FLIGHT];
    private final int[] looks = new int[MOST_IN_FLIGHT];
    private int mostInFlight = MOST_IN_FLIGHT;
    private Sender sender = id -> {};
    private volatile CallWork work = CallWork.NONE;
    private volatile @Nullable Flight flight;

    /** @param arguments the responder's address, as {@code --address.<part>=VALUE} */
    PipelinedCalls(String[] arguments, Connector connector) {
        super(arguments);
        this.connector = connector;
        for (int slot = 0; slot < MOST_IN_FLIGHT; slot++) {
            ids.set(slot, ~slot);
        }
    }

    @Override
    void open() throws Exception {
        sender = connector.connect(this);
        Executors.newSingleThreadScheduledExecutor()
                .scheduleWithFixedDelay(this::failLostCalls, 1, 1, TimeUnit.SECONDS);
    }

    /** @throws IllegalArgumentException this part of the responder's address was not given */
    String address(String part) {
        String name = "address." + part;
        return argument(name).orElseThrow(() -> new IllegalArgumentException("--%s=VALUE is missing".formatted(name)));
    }

    /** Called by a client that connects, if it carries no more calls at once, whatever is ordered. */
    void carriesAtMost(int calls) {
        mostInFlight = calls;
    }

    @Override
    public void begin(Slice slice, Consumer<SliceResult> answer) {
        Flight begun = new Flight(slice, mostInFlight, answer);
        work = slice.workload().work();
        flight = begun;
        for (int slot = 0; slot < begun.inFlight(); slot++) {
            next(slot, begun);
        }
    }

    private void next(int slot, Flight of) {
        if (of.takes()) {
            long id = ~ids.get(slot);
            ids.set(slot, id);
            try {
                sender.send(id);
            } catch (Exception e) {
                unsent(id, e);
            }
        } else {
            of.leave();
        }
    }

    /** The number that is to be squared in the call with this id. */
    static int number(long id) {
        return 1 + (int) (id % LARGEST_NUMBER);
    }

    /** The request of the call with this id. */
    Input input(long id) {
        CallWork now = work;
        return Input.newBuilder()
                .setNumber(number(id))
                .setBurnMicros(now.burnMicros())
                .setWaitMicros(now.waitMicros())
                .build();
    }

    /** What each call of the slice asks of its responder besides the square. */
    CallWork work() {
        return work;
    }

    /** Takes a reply, on any thread, and causes the next call. */
    void replied(long id, byte[] body) {
        try {
            Output output = Output.parseFrom(body);
            replied(id, output.getNumber(), output.getResult());
        } catch (InvalidProtocolBufferException e) {
            failed(id);
        }
    }

    /** The same for a reply whose parts are known. */
    void replied(long id, int number, long square) {
        ended(id, number == number(id) && square == Square.of(number) ? null : "wrong");
    }

    /** Takes an error reply, or a reply that cannot be read. */
    void failed(long id) {
        ended(id, "wrong");
    }

    private void ended(long id, @Nullable String failure) {
        Flight now = flight;
        if (now == null) {
            return;
        }
        if (!isEnded(id)) {
            now.failed("unmatched");
            return;
        }
        if (failure == null) {
            now.right();
        } else {
            now.failed(failure);
        }
        next((int) id & SLOT, now);
    }

    /** Takes the call out of its slot. Only the caller that gets true ends the call. */
    private boolean isEnded(long id) {
        return ids.compareAndSet((int) id & SLOT, id, ~(id + MOST_IN_FLIGHT));
    }

    /** Takes a request that could not be sent, on any thread. No other call takes its place. */
    void unsent(long id, Exception reason) {
        Flight now = flight;
        if (now != null && isEnded(id)) {
            if (now.failed("unsent") == 1) {
                System.err.println("A request could not be sent: " + reason);
            }
            now.leave();
        }
    }

    /** Fails calls without a timer for each: if a slot has the same call at several looks, its reply is lost. */
    private void failLostCalls() {
        Flight now = flight;
        for (int slot = 0; now != null && !now.isOver() && slot < now.inFlight(); slot++) {
            long id = ids.get(slot);
            looks[slot] = id >= 0 && id == seen[slot] ? looks[slot] + 1 : 0;
            seen[slot] = id;
            if (looks[slot] >= PATIENCE) {
                ended(id, "timeout");
            }
        }
    }
}

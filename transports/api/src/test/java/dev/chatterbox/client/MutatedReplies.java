package dev.chatterbox.client;

import static org.assertj.core.api.Assertions.assertThat;

import dev.chatterbox.responder.Mutations;
import java.time.Duration;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Tuple;

/**
 * Hundreds of calls, and replies to them that are changed, doubled, exchanged, for no call, or too large. Each call
 * must end with the right answer, or with an error that says that the reply was wrong.
 */
final class MutatedReplies {

    private static final int AT_ONCE = 256;
    private static final Duration PATIENCE = Duration.ofMinutes(1);

    /** No call reaches this deadline, because each gets a reply. */
    private static final Duration DEADLINE = Duration.ofSeconds(60);

    /** The numbers of a batch, and of its neighbours, are still valid. */
    private static final int MOST_NUMBER = 1 << 30;

    /** More than some clients read, and less than every broker takes. */
    private static final int LARGE = 1 << 19;

    private final long seed = System.nanoTime();
    private final Random random = new Random(seed);
    private final Supplier<UnaryOperator<byte[]>> mutations = Mutations.of(Mutations.messages(), random);
    private final Supplier<Kind> kinds;
    private final SquareClient client;
    private final ScriptedPeer peer;
    private final boolean batches;

    /**
     * @param batches whether the variant has batches, and payloads
     * @param strays whether a request can get more than one reply
     * @param forNobody whether a reply for nobody reaches no call; with a queue for each call, it reaches one
     */
    MutatedReplies(SquareClient client, ScriptedPeer peer, boolean batches, boolean strays, boolean forNobody) {
        this.client = client;
        this.peer = peer;
        this.batches = batches;
        int more = strays ? 100 : 0;
        kinds = Mutations.of(
                Arbitraries.frequency(
                        Tuple.of(500, Kind.MUTATED),
                        Tuple.of(100, Kind.RIGHT),
                        Tuple.of(100, Kind.OF_ANOTHER),
                        Tuple.of(100, Kind.ERROR),
                        Tuple.of(more, Kind.RIGHT_AND_MUTATED),
                        Tuple.of(more, Kind.MUTATED_AND_RIGHT),
                        Tuple.of(forNobody ? 100 : 0, Kind.FOR_NOBODY_AND_RIGHT),
                        Tuple.of(1, Kind.LARGE)),
                random);
    }

    private enum Kind {
        MUTATED,
        RIGHT,
        OF_ANOTHER,
        ERROR,
        RIGHT_AND_MUTATED,
        MUTATED_AND_RIGHT,
        FOR_NOBODY_AND_RIGHT,
        LARGE;

        /** Whether the first reply that reaches the call is right. */
        boolean isRight() {
            return this == RIGHT || this == RIGHT_AND_MUTATED || this == FOR_NOBODY_AND_RIGHT;
        }
    }

    void answer(int calls) {
        for (int count = 0; count < calls; count += AT_ONCE) {
            Map<Integer, Call> outstanding = new HashMap<>();
            for (int i = 0; i < AT_ONCE; i++) {
                SquareRequest request = request(1 + random.nextInt(MOST_NUMBER / AT_ONCE) * AT_ONCE + i);
                outstanding.put(
                        request.number(),
                        new Call(request, client.square(request).toFuture()));
            }
            List<ScriptedPeer.Received> received = peer.next(AT_ONCE);
            Map<Call, Kind> replied = new LinkedHashMap<>();
            for (int i = 0; i < AT_ONCE; i++) {
                Kind kind = kinds.get();
                reply(kind, received.get(i), received.get((i + 1) % AT_ONCE));
                replied.put(outstanding.get(received.get(i).number()), kind);
            }
            assertThat(replied).as("calls that were replied to").hasSize(AT_ONCE);
            replied.forEach(this::requireEnd);
        }
    }

    private void requireEnd(Call call, Kind kind) {
        String description = "%s, seed %d, to %s".formatted(kind, seed, call.request);
        try {
            SquareReply reply = call.reply.get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
            for (int i = 0; i < call.request.count(); i++) {
                long number = call.request.number() + i;
                if (reply.square(i) != number * number) {
                    throw new AssertionError(description + ": taken for right");
                }
            }
        } catch (ExecutionException e) {
            if (kind.isRight()) {
                throw new AssertionError(description, e.getCause());
            }
        } catch (TimeoutException | InterruptedException e) {
            throw new AssertionError(description + ": has not ended", e);
        }
    }

    /** In turn a number alone, a number with a payload, and a batch. */
    private SquareRequest request(int number) {
        return switch (batches ? number % 3 : 0) {
            case 0 -> TestRequests.of(number, DEADLINE);
            case 1 -> TestRequests.of(number, 8, DEADLINE);
            default -> TestRequests.of(true, number, 3, 0, DEADLINE);
        };
    }

    private void reply(Kind kind, ScriptedPeer.Received request, ScriptedPeer.Received other) {
        switch (kind) {
            case MUTATED -> mutated(request);
            case RIGHT -> right(request);
            case OF_ANOTHER -> request.bytes(other.rightBody());
            case ERROR -> request.error("out of numbers");
            case RIGHT_AND_MUTATED -> {
                right(request);
                mutated(request);
            }
            case MUTATED_AND_RIGHT -> {
                mutated(request);
                right(request);
            }
            case FOR_NOBODY_AND_RIGHT -> {
                peer.replyForNobody();
                right(request);
            }
            case LARGE -> request.bytes(new byte[LARGE]);
        }
    }

    private static void right(ScriptedPeer.Received request) {
        request.bytes(request.rightBody());
    }

    private void mutated(ScriptedPeer.Received request) {
        request.bytes(mutations.get().apply(request.rightBody()));
    }

    private record Call(SquareRequest request, CompletableFuture<SquareReply> reply) {}
}

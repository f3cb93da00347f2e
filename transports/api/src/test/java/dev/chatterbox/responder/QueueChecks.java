package dev.chatterbox.responder;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Further checks, of every responder behind a broker that keeps a request until a responder has answered it. */
public interface QueueChecks {

    Requester requester();

    ResponderProcess service();

    /** One more responder of the same name at the same address. */
    ResponderProcess another();

    /** Starts the shared responder again, which was stopped. */
    void startAgain();

    /** Where the broker can tell: returns when it keeps no request any more. May stop the responder. */
    default void awaitThatAllIsAcknowledged() throws Exception {}

    /** How many requests may be answered twice, because the first responder acknowledges them late. */
    default int answersAgain() {
        return 0;
    }

    @Test
    default void answersWhatCameBeforeItWasThere() throws Exception {
        service().close();
        CompletableFuture<Requester.Answer> answer = requester().ask(3);
        assertThat(answer).isNotDone();

        startAgain();

        assertThat(answer).succeedsWithin(ResponderKit.PATIENCE).isEqualTo(Requester.Answer.square(9));
        awaitThatAllIsAcknowledged();
    }

    @Test
    default void answersWhatAnotherHadTakenAndCannotAnswer() throws Exception {
        ResponderProcess frozen = another();
        try {
            ResponderKit.awaitHealth(frozen, 200);
            assertThat(requester().ask(3)).succeedsWithin(ResponderKit.PATIENCE);
            int ok = service().squares("ok");
            frozen.process().freeze();

            List<CompletableFuture<Requester.Answer>> answers =
                    IntStream.range(0, 100).mapToObj(i -> requester().ask(4)).toList();
            assertThat(CompletableFuture.allOf(answers.toArray(CompletableFuture[]::new)))
                    .succeedsWithin(ResponderKit.PATIENCE);
            assertThat(service().squares("ok")).isBetween(ok + 100, ok + 100 + answersAgain());
        } finally {
            frozen.process().stop(Duration.ZERO);
        }
        awaitThatAllIsAcknowledged();
    }
}

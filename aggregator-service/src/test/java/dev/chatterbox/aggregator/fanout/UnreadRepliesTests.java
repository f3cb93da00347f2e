package dev.chatterbox.aggregator.fanout;

import static org.assertj.core.api.Assertions.assertThat;

import dev.chatterbox.client.SquareReply;
import dev.chatterbox.client.TestRequests;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.reactivestreams.Subscription;
import reactor.core.publisher.BaseSubscriber;
import reactor.core.publisher.Sinks;

class UnreadRepliesTests {

    private static final SquareReply REPLY =
            TestRequests.of(3, Duration.ofSeconds(1)).reply(3, 9);

    /** There is room for four replies. */
    private final UnreadReplies unread = new UnreadReplies(4 * 72);

    /** An answer, and a user who reads nothing unless told to. */
    private final class User extends BaseSubscriber<SquareReply> {

        private final Sinks.Many<SquareReply> replies = Sinks.many().multicast().directBestEffort();
        private boolean disconnected;
        private int read;

        User() {
            unread.of(replies.asFlux(), () -> disconnected = true).subscribe(this);
        }

        @Override
        protected void hookOnSubscribe(Subscription subscription) {}

        @Override
        protected void hookOnNext(SquareReply reply) {
            read++;
        }

        void isSent(int count) {
            for (int i = 0; i < count; i++) {
                replies.tryEmitNext(REPLY);
            }
        }
    }

    @Test
    void endsTheAnswerThatWasNotReadForTheLongestTime() {
        User first = new User();
        User second = new User();
        User third = new User();
        first.isSent(2);
        second.isSent(1);
        third.isSent(1);
        first.request(1);

        third.isSent(2);

        assertThat(first.disconnected).isFalse();
        assertThat(second.disconnected).isTrue();
        assertThat(third.disconnected).isFalse();
        assertThat(first.read).isOne();
    }

    /** The thread of its connection may close that much later. */
    @Test
    void whatWaitsOfAnAnswerThatIsEndedIsDroppedAtOnceAndNoMoreComes() {
        User silent = new User();

        silent.isSent(5);

        assertThat(silent.disconnected).isTrue();
        assertThat(silent.replies.currentSubscriberCount()).isZero();
        assertThat(silent.read).isZero();
    }

    @Test
    void endsNoAnswerThatIsRead() {
        User silent = new User();
        silent.isSent(4);
        User reader = new User();
        reader.request(Long.MAX_VALUE);

        silent.request(1);
        reader.isSent(1_000);

        assertThat(silent.disconnected).isFalse();
        assertThat(reader.disconnected).isFalse();
        assertThat(reader.read).isEqualTo(1_000);
    }

    @Test
    void countsNothingOfAnswersThatHaveEnded() {
        User gone = new User();
        gone.isSent(4);
        gone.cancel();
        User done = new User();
        done.isSent(4);
        done.request(4);
        done.replies.tryEmitComplete();
        User next = new User();

        next.isSent(4);
        assertThat(next.disconnected).isFalse();
        next.isSent(1);
        assertThat(next.disconnected).isTrue();
    }
}

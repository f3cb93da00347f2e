package dev.chatterbox.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.chatterbox.client.ScriptedPeer.Received;
import dev.chatterbox.proto.Output;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import reactor.core.Disposable;
import reactor.test.StepVerifier;

/** The cases of batches, for variants that have them. */
public abstract class BatchCases extends UnaryCases {

    @Test
    void theRealResponderSquaresBatches() {
        assumeTrue(hasBatches());
        SquareClient client = ready(clientOfTheRealResponder());
        for (int count : new int[] {1, 2, 7, 100, 1000, 10_000}) {
            for (int payload : new int[] {0, 64, 8192, 131_072}) {
                SquareRequest request = TestRequests.of(true, 101, count, payload, LONG);
                if (isCarried(client, request)) {
                    isRight(client, request);
                }
            }
        }
        holdsNothing(client);
    }

    /** Otherwise a batch of so many would take minutes. */
    @Test
    void theCallsOfABatchWaitAtTheSameTime() {
        assumeTrue(hasBatches());
        SquareClient client = ready(clientOfTheRealResponder());
        for (int payload : new int[] {0, 8}) {
            isWorked(client, new SquareRequest(true, 101, 1_000, payload, WORK, LONG, null));
        }
        holdsNothing(client);
    }

    @ParameterizedTest
    @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "ANOTHERS_PAYLOAD")
    void aBatchThatIsNotAnsweredRightIsAnError(BadBatch bad) {
        assumeTrue(hasBatches());
        failsWith(bad, 0);
    }

    @ParameterizedTest
    @EnumSource
    void aBatchWithPayloadsThatIsNotAnsweredRightIsAnError(BadBatch bad) {
        assumeTrue(hasBatches());
        failsWith(bad, 8);
    }

    private void failsWith(BadBatch bad, int payload) {
        failsWith(
                bad == BadBatch.GARBAGE || bad == BadBatch.ERROR ? Outcome.ERROR : Outcome.WRONG,
                TestRequests.of(true, 3, 4, payload, LONG),
                bad::answer,
                bad.messagePart);
    }

    /** What is wrong with an answer to the numbers 3 to 6. */
    enum BadBatch {
        WRONG_SQUARE("a wrong reply to the request for 3 to 6") {
            @Override
            void change(List<Output> outputs) {
                outputs.set(2, outputs.get(2).toBuilder().setResult(10).build());
            }
        },
        MISSING("3 outputs") {
            @Override
            void change(List<Output> outputs) {
                outputs.remove(1);
            }
        },
        NONE_AT_ALL("0 outputs") {
            @Override
            void change(List<Output> outputs) {
                outputs.clear();
            }
        },
        SURPLUS("5 outputs") {
            @Override
            void change(List<Output> outputs) {
                outputs.add(
                        outputs.get(3).toBuilder().setNumber(7).setResult(49).build());
            }
        },
        DOUBLED("5 outputs") {
            @Override
            void change(List<Output> outputs) {
                outputs.add(outputs.get(3));
            }
        },
        DOUBLED_IN_PLACE_OF_ANOTHER("the square of") {
            @Override
            void change(List<Output> outputs) {
                outputs.set(0, outputs.get(1));
            }
        },
        OF_ANOTHER_NUMBER("the square of") {
            @Override
            void change(List<Output> outputs) {
                outputs.set(
                        3, outputs.get(3).toBuilder().setNumber(7).setResult(49).build());
            }
        },
        ANOTHERS_PAYLOAD("payload") {
            @Override
            void change(List<Output> outputs) {
                outputs.set(
                        3,
                        outputs.get(3).toBuilder()
                                .setPayload(outputs.get(2).getPayload())
                                .build());
            }
        },
        ERROR("error reply") {
            @Override
            void answer(Received request) {
                request.error("out of numbers");
            }
        },
        GARBAGE("not a") {
            @Override
            void answer(Received request) {
                request.garbage();
            }
        };

        private final String messagePart;

        BadBatch(String messagePart) {
            this.messagePart = messagePart;
        }

        void change(List<Output> outputs) {}

        void answer(Received request) {
            List<Output> outputs = new ArrayList<>(request.rightOutputs());
            change(outputs);
            request.outputs(outputs);
        }
    }

    @Test
    void aBatchThatNobodyAnswersTimesOutAndItsLateReplyIsHarmless() {
        assumeTrue(hasBatches());
        ScriptedPeer peer = open(peer());
        SquareClient client = ready(client());
        StepVerifier.create(client.square(TestRequests.of(true, 3, 4, 0, SHORT)))
                .expectErrorSatisfies(error -> {
                    assertThat(Outcome.of(error)).isEqualTo(Outcome.TIMEOUT);
                    assertThat(error).hasMessage("no reply to the request for 3 to 6 within 300 ms");
                })
                .verify(PATIENCE);
        double before = unmatched();
        Received late = peer.next();
        late.outputs(late.rightOutputs());
        countsOneMore(before);
        answersStill(client, peer);
        holdsNothing(client);
    }

    @Test
    void aCancelledBatchLeavesNothingBehind() {
        assumeTrue(hasBatches());
        ScriptedPeer peer = open(peer());
        SquareClient client = ready(client());
        Disposable call = client.square(TestRequests.of(true, 3, 4, 0, LONG)).subscribe();
        Received request = peer.next();
        call.dispose();
        holdsNothing(client);
        request.outputs(request.rightOutputs());
        answersStill(client, peer);
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1})
    void aReplyToABatchThatBreaksOffIsUnavailable(int bytes) {
        assumeTrue(hasBatches() && repliesCanBreakOff());
        failsWith(
                Outcome.UNAVAILABLE,
                TestRequests.of(true, 3, 4, 0, LONG),
                request -> request.breakOff(bytes),
                "no square service answers");
    }
}

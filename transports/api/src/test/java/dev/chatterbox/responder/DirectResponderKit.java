package dev.chatterbox.responder;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Further checks, of our responders that listen on a port of their own and take protobuf. */
public abstract class DirectResponderKit extends ResponderKit implements ActuatorChecks {

    protected DirectResponderKit(String name) {
        super(Path.of(""), name, Map.of(), Map.of());
    }

    /** Returns when everything has arrived that was sent over this requester's connection before. */
    protected abstract void awaitArrivals(Requester requester);

    /** Bodies that are no square.Input message with a valid number. */
    protected List<Named<byte[]>> bodiesThatAreNoRequest() {
        return MessageChecks.bodiesThatAreNoRequest();
    }

    @ParameterizedTest
    @MethodSource("bodiesThatAreNoRequest")
    void refusesAndCountsWhatIsNoRequestAndGoesOn(byte[] body) {
        int invalid = service.squares("invalid");

        isRefused(requester.send(false, body));

        assertThat(service.squares("invalid")).isEqualTo(invalid + 1);
        squaresStill(requester);
    }

    protected static void isRefused(CompletableFuture<Requester.Message> answer) {
        assertThat(answer).succeedsWithin(PATIENCE).satisfies(message -> {
            assertThat(message.code()).isEqualTo(400);
            assertThat(message.reason()).isNotBlank();
        });
    }

    protected static void squaresStill(Requester requester) {
        assertThat(requester.ask(3)).succeedsWithin(PATIENCE).isEqualTo(Requester.Answer.square(9));
    }

    @Test
    void answersWhatItTookBeforeItStops() {
        Map<String, String> late = Map.of("CHATTERBOX_FAULTS_DELAY", "500ms");
        try (ResponderProcess other = another("other-responder", Map.of(), late);
                Requester stranger = requester(other)) {
            List<CompletableFuture<Requester.Answer>> answers =
                    IntStream.rangeClosed(1, 100).mapToObj(stranger::ask).toList();
            awaitArrivals(stranger);

            other.close();

            assertThat(answers).allSatisfy(answer -> assertThat(answer).isCompleted());
            assertThat(other.logged("were not answered")).isZero();
        }
    }
}

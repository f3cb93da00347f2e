package dev.chatterbox.square.grpc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.google.protobuf.ByteString;
import dev.chatterbox.proto.Input;
import dev.chatterbox.proto.Output;
import dev.chatterbox.square.common.ActuatorChecks;
import dev.chatterbox.square.common.BatchChecks;
import dev.chatterbox.square.common.MutationChecks;
import dev.chatterbox.square.common.PayloadChecks;
import dev.chatterbox.square.common.Requester;
import dev.chatterbox.square.common.ResponderKit;
import dev.chatterbox.square.common.ResponderProcess;
import io.grpc.Status;
import io.grpc.health.v1.HealthCheckRequest;
import io.grpc.health.v1.HealthCheckResponse.ServingStatus;
import io.grpc.health.v1.HealthGrpc;
import io.grpc.stub.StreamObserver;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class GrpcResponderIT extends ResponderKit implements ActuatorChecks, PayloadChecks, BatchChecks, MutationChecks {

    GrpcResponderIT() {
        super(Path.of(""), "square-service-grpc", Map.of(), Map.of());
    }

    /** More than it reads. */
    @Override
    public int largestBody() {
        return 5_000_000;
    }

    @Override
    public int messages() {
        return 5_000;
    }

    @Override
    protected Requester requester(ResponderProcess service) {
        return BareGrpcClient.connect(service.port("grpc"));
    }

    @Override
    public ResponderProcess service() {
        return service;
    }

    private BareGrpcClient client() {
        return (BareGrpcClient) requester;
    }

    static List<byte[]> bodiesThatAreNoRequest() {
        return List.of(
                new byte[] {(byte) 0xFF, 1, 2},
                "5".getBytes(StandardCharsets.US_ASCII),
                new byte[0],
                // A field that nobody knows, and no number.
                new byte[] {0x18, 5});
    }

    @ParameterizedTest
    @MethodSource("bodiesThatAreNoRequest")
    void refusesAndCountsWhatIsNoRequestAndGoesOn(byte[] body) {
        int invalid = service.squares("invalid");

        assertThat(client().send(body))
                .failsWithin(PATIENCE)
                .withThrowableThat()
                .satisfies(error -> {
                    Status status = Status.fromThrowable(error);
                    assertThat(status.getCode()).isEqualTo(Status.Code.INVALID_ARGUMENT);
                    assertThat(status.getDescription()).isNotBlank();
                });

        assertThat(service.squares("invalid")).isEqualTo(invalid + 1);
        assertThat(ask(3)).succeedsWithin(PATIENCE).isEqualTo(Requester.Answer.square(9));
    }

    /** grpc-java refuses more than 4 MB before the service sees it. */
    @Test
    void refusesARequestThatIsTooLargeAndGoesOn() {
        assertThat(client().send(new byte[5_000_000]))
                .failsWithin(PATIENCE)
                .withThrowableThat()
                .satisfies(error ->
                        assertThat(Status.fromThrowable(error).getCode()).isEqualTo(Status.Code.RESOURCE_EXHAUSTED));
        assertThat(ask(3)).succeedsWithin(PATIENCE).isEqualTo(Requester.Answer.square(9));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "square.Squares"})
    void isServingByTheStandardHealthService(String name) {
        assertThat(health(client(), name)).isEqualTo(ServingStatus.SERVING);
    }

    private static ServingStatus health(BareGrpcClient client, String name) {
        return HealthGrpc.newBlockingStub(client.channel())
                .withDeadlineAfter(PATIENCE)
                .check(HealthCheckRequest.newBuilder().setService(name).build())
                .getStatus();
    }

    @Test
    void answersTheGeneratedStub() {
        Output reply = SquaresGrpc.newBlockingStub(client().channel())
                .withDeadlineAfter(PATIENCE)
                .unary(Input.newBuilder().setNumber(3).build());
        assertThat(reply)
                .isEqualTo(Output.newBuilder().setNumber(3).setResult(9).build());
    }

    private static Input input(int number) {
        return Input.newBuilder().setNumber(number).build();
    }

    /** What came of one stream, in order. */
    private static final class Outputs implements StreamObserver<Output> {

        private final BlockingQueue<Object> events = new LinkedBlockingQueue<>();

        @Override
        public void onNext(Output output) {
            events.add(output.getNumber() + "->" + output.getResult()
                    + output.getPayload().toStringUtf8());
        }

        @Override
        public void onError(Throwable error) {
            events.add(Status.fromThrowable(error));
        }

        @Override
        public void onCompleted() {
            events.add("end");
        }

        Object next() throws InterruptedException {
            return events.poll(PATIENCE.toMillis(), TimeUnit.MILLISECONDS);
        }
    }

    @Test
    void answersEachInputOfAStreamAsItComesAndEndsAfterTheLast() throws Exception {
        int ok = service.squares("ok");
        Outputs outputs = new Outputs();
        StreamObserver<Input> inputs = SquaresGrpc.newStub(client().channel()).stream(outputs);
        inputs.onNext(input(3));
        assertThat(outputs.next()).isEqualTo("3->9");
        inputs.onNext(input(4).toBuilder()
                .setPayload(ByteString.copyFromUtf8("payload"))
                .build());
        assertThat(outputs.next()).isEqualTo("4->16payload");
        assertThat(service.squares("ok")).isEqualTo(ok + 2);
        inputs.onNext(input(5));
        inputs.onCompleted();
        assertThat(outputs.next()).isEqualTo("5->25");
        assertThat(outputs.next()).isEqualTo("end");
    }

    @Test
    void answersAStreamThatIsHeldBackBeforeItEndsIt() throws Exception {
        fails("{\"delay\":\"300ms\"}");
        Outputs outputs = new Outputs();
        StreamObserver<Input> inputs = SquaresGrpc.newStub(client().channel()).stream(outputs);
        inputs.onNext(input(3));
        inputs.onNext(input(4));
        inputs.onCompleted();
        assertThat(List.of(outputs.next(), outputs.next(), outputs.next())).containsExactly("3->9", "4->16", "end");
    }

    @Test
    void faultsHitSingleInputsOfAStream() throws Exception {
        int dropped = service.squares("dropped");
        fails("{\"drop\":1}");
        Outputs outputs = new Outputs();
        StreamObserver<Input> inputs = SquaresGrpc.newStub(client().channel()).stream(outputs);
        inputs.onNext(input(3));
        await().atMost(PATIENCE).until(() -> service.squares("dropped") == dropped + 1);
        fails("{\"drop\":0,\"wrong\":1}");
        inputs.onNext(input(4));
        assertThat(outputs.next()).isEqualTo("4->17");
        inputs.onCompleted();
        assertThat(outputs.next()).isEqualTo("end");
    }

    @Test
    void aBadInputEndsItsStreamWithAnError() throws Exception {
        Outputs outputs = new Outputs();
        StreamObserver<Input> inputs = SquaresGrpc.newStub(client().channel()).stream(outputs);
        inputs.onNext(input(3));
        inputs.onNext(input(0));
        assertThat(outputs.next()).isEqualTo("3->9");
        assertThat(outputs.next()).isInstanceOfSatisfying(Status.class, status -> {
            assertThat(status.getCode()).isEqualTo(Status.Code.INVALID_ARGUMENT);
            assertThat(status.getDescription()).contains("1 to 2147483647");
        });
        assertThat(ask(3)).succeedsWithin(PATIENCE).isEqualTo(Requester.Answer.square(9));
    }

    @Test
    void anEmptyStreamEndsAtOnce() throws Exception {
        Outputs outputs = new Outputs();
        SquaresGrpc.newStub(client().channel()).stream(outputs).onCompleted();
        assertThat(outputs.next()).isEqualTo("end");
    }

    @Test
    void answersWhatItTookBeforeItStops() {
        Map<String, String> late = Map.of("CHATTERBOX_FAULTS_DELAY", "500ms");
        try (ResponderProcess other = another("other-responder", Map.of(), late);
                BareGrpcClient stranger = BareGrpcClient.connect(other.port("grpc"))) {
            List<CompletableFuture<Requester.Answer>> answers =
                    IntStream.rangeClosed(1, 100).mapToObj(stranger::ask).toList();
            // It comes after them on the same connection.
            assertThat(health(stranger, "")).isEqualTo(ServingStatus.SERVING);

            other.close();

            assertThat(answers).allSatisfy(answer -> assertThat(answer).isCompleted());
        }
    }
}

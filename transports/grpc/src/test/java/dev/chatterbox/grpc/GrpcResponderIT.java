package dev.chatterbox.grpc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.google.protobuf.ByteString;
import dev.chatterbox.proto.Input;
import dev.chatterbox.proto.Output;
import dev.chatterbox.responder.BatchChecks;
import dev.chatterbox.responder.DirectResponderKit;
import dev.chatterbox.responder.MutationChecks;
import dev.chatterbox.responder.PayloadChecks;
import dev.chatterbox.responder.Requester;
import dev.chatterbox.responder.ResponderProcess;
import dev.chatterbox.responder.Wire;
import io.grpc.CallOptions;
import io.grpc.ClientCall;
import io.grpc.Metadata;
import io.grpc.Status;
import io.grpc.health.v1.HealthCheckRequest;
import io.grpc.health.v1.HealthCheckResponse.ServingStatus;
import io.grpc.health.v1.HealthGrpc;
import io.grpc.stub.StreamObserver;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Tag("kit")
class GrpcResponderIT extends DirectResponderKit implements PayloadChecks, BatchChecks, MutationChecks {

    GrpcResponderIT() {
        super("square-service-grpc");
    }

    /** More than the responder reads. */
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

    private BareGrpcClient client() {
        return (BareGrpcClient) requester;
    }

    @Override
    protected void awaitArrivals(Requester requester) {
        assertThat(health((BareGrpcClient) requester, "")).isEqualTo(ServingStatus.SERVING);
    }

    /** grpc-java refuses more than 4 MB before the service sees it. */
    @Test
    void refusesARequestThatIsTooLargeAndGoesOn() {
        assertThat(client().send(new byte[5_000_000]))
                .failsWithin(PATIENCE)
                .withThrowableThat()
                .satisfies(error ->
                        assertThat(Status.fromThrowable(error).getCode()).isEqualTo(Status.Code.RESOURCE_EXHAUSTED));
        squaresStill(requester);
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

    /** The events of one stream, in order. */
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
        squaresStill(requester);
    }

    @Test
    void anEmptyStreamEndsAtOnce() throws Exception {
        Outputs outputs = new Outputs();
        SquaresGrpc.newStub(client().channel()).stream(outputs).onCompleted();
        assertThat(outputs.next()).isEqualTo("end");
    }

    /** Unread outputs must hold back the requester's inputs on its own side, and not fill the responder's heap. */
    @Test
    void readsNoMoreInputsOfAStreamWhoseOutputsAreNotRead() {
        byte[] input = Wire.input(3, new byte[100_000]);
        int most = 1_000;
        int ok = service.squares("ok");
        BlockingQueue<byte[]> outputs = new LinkedBlockingQueue<>();
        CompletableFuture<Status> end = new CompletableFuture<>();
        ClientCall<byte[], byte[]> call =
                client().channel().newCall(BareGrpcClient.bytes(SquaresGrpc.getStreamMethod()), CallOptions.DEFAULT);
        call.start(
                new ClientCall.Listener<>() {
                    @Override
                    public void onMessage(byte[] output) {
                        outputs.add(output);
                    }

                    @Override
                    public void onClose(Status status, Metadata trailers) {
                        end.complete(status);
                    }
                },
                new Metadata());
        AtomicInteger sent = new AtomicInteger();
        await().atMost(PATIENCE).during(Duration.ofSeconds(1)).until(() -> {
            int before = sent.get();
            while (call.isReady() && sent.get() < most) {
                call.sendMessage(input);
                sent.incrementAndGet();
            }
            return sent.get() == before;
        });
        assertThat(sent.get()).isLessThan(most / 2);
        assertThat(service.squares("ok") - ok).isLessThan(sent.get());

        call.halfClose();
        call.request(most);

        assertThat(end)
                .succeedsWithin(PATIENCE)
                .satisfies(status -> assertThat(status.isOk()).isTrue());
        assertThat(outputs).hasSize(sent.get());
    }
}

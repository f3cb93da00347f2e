package dev.chatterbox.aggregator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.chatterbox.client.ScriptedClient;
import dev.chatterbox.client.ScriptedClient.Call;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.net.ConnectException;
import java.net.Socket;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.web.server.context.WebServerApplicationContext;
import org.springframework.boot.web.server.context.WebServerInitializedEvent;
import org.springframework.context.ApplicationListener;
import org.springframework.context.ConfigurableApplicationContext;

/** How the whole aggregator ends. */
class ShutdownTests {

    private static final Duration PATIENCE = Duration.ofMinutes(1);

    private volatile boolean startedBeforeTheServer;

    @Test
    void aRequestThatIsUnderWayIsAnsweredAndOpenLivePagesHoldNothingUp() throws Exception {
        ConfigurableApplicationContext context = start();
        ScriptedClient scripted = context.getBean(ScriptedClient.class);
        int port = ((WebServerApplicationContext) context).getWebServer().getPort();
        Http http = new Http(port);
        assertThat(startedBeforeTheServer).isTrue();

        try (Socket page = http.open("/live")) {
            new BufferedReader(new InputStreamReader(page.getInputStream())).readLine();
            CompletableFuture<HttpResponse<String>> answer = http.getAsync("/scripted/square/unary/1");
            Call call = scripted.calls.poll(60, TimeUnit.SECONDS);
            assertThat(call).isNotNull();

            CompletableFuture<Void> closed = CompletableFuture.runAsync(context::close);
            await().atMost(PATIENCE).until(() -> refusesConnections(port));
            call.right();

            assertThat(answer)
                    .succeedsWithin(PATIENCE)
                    .satisfies(response -> assertThat(response.body()).isEqualTo(Squares.array(1)));
            assertThat(closed).succeedsWithin(PATIENCE);
            assertThat(scripted.stopped).isTrue();
        }
    }

    private ConfigurableApplicationContext start() {
        return new SpringApplicationBuilder(AggregatorService.class)
                .listeners((ApplicationListener<WebServerInitializedEvent>) event ->
                        startedBeforeTheServer = event.getApplicationContext().getBean(ScriptedClient.class).started)
                // If anything holds the stop up, it takes so long.
                .run(
                        "--server.port=0",
                        "--chatterbox.transports=scripted",
                        "--spring.lifecycle.timeout-per-shutdown-phase=10m");
    }

    private static boolean refusesConnections(int port) throws Exception {
        try (Socket socket = new Socket("127.0.0.1", port)) {
            return false;
        } catch (ConnectException e) {
            return true;
        }
    }
}

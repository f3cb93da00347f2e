package dev.chatterbox.rabbitmq;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.InputStream;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLHandshakeException;
import javax.net.ssl.SSLSocket;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RabbitMqServerTests {

    private static final String SECRET = "secret1";

    @TempDir
    Path folder;

    @Test
    void isShownWithoutItsPassword() {
        RabbitMqServer server = new RabbitMqServer("client.uri", "amqp://user:secret@somewhere:5673/%2f");

        assertThat(server).hasToString("the RabbitMQ server at somewhere:5673");
        assertThat(server.address()).isEqualTo("somewhere:5673");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"amqp://user:se cret@localhost", "http://user:secret@localhost", "amqp://u:secret@host/a/b"})
    void namesTheSettingAndNotTheUriWhereThatIsNone(String uri) {
        assertThatThrownBy(() -> new RabbitMqServer("client.uri", uri))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("client.uri must be amqp://HOST:PORT or amqps://HOST:PORT")
                .hasNoCause();
    }

    /** By itself the library trusts every certificate. */
    @Test
    void refusesACertificateThatNobodyTrusts() throws Exception {
        try (ServerSocket stranger = stranger()) {
            Thread thread = new Thread(() -> handshake(stranger), "stranger");
            thread.start();
            RabbitMqServer server = new RabbitMqServer("client.uri", "amqps://localhost:" + stranger.getLocalPort());

            assertThatThrownBy(() -> server.connect("test", connection -> connection))
                    .isInstanceOf(SSLHandshakeException.class)
                    .hasMessageContaining("certification path");
            thread.join();
        }
    }

    private static void handshake(ServerSocket stranger) {
        try (SSLSocket client = (SSLSocket) stranger.accept()) {
            client.startHandshake();
        } catch (IOException refused) {
            // The client has gone, as it should.
        }
    }

    private ServerSocket stranger() throws IOException, InterruptedException, GeneralSecurityException {
        Path file = folder.resolve("stranger.p12");
        Process keytool = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "keytool")
                                .toString(),
                        "-genkeypair",
                        "-alias",
                        "stranger",
                        "-keyalg",
                        "EC",
                        "-dname",
                        "CN=localhost",
                        "-storetype",
                        "PKCS12",
                        "-keystore",
                        file.toString(),
                        "-storepass",
                        SECRET)
                .inheritIO()
                .start();
        assertThat(keytool.waitFor()).isZero();
        KeyStore keys = KeyStore.getInstance("PKCS12");
        try (InputStream in = Files.newInputStream(file)) {
            keys.load(in, SECRET.toCharArray());
        }
        KeyManagerFactory managers = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
        managers.init(keys, SECRET.toCharArray());
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(managers.getKeyManagers(), null, null);
        return context.getServerSocketFactory().createServerSocket(0);
    }
}

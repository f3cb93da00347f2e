package dev.chatterbox.processes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class JvmTests {

    @TempDir
    Path directory;

    @Test
    void saysWhichFlagsTookEffectAndWhichPropertiesItHas() throws IOException {
        ProcessBuilder builder = new ProcessBuilder(JavaCommand.of(List.of(
                "-Xmx32m",
                "-XX:+UseSerialGC",
                "-Dblank=a b=c",
                "-cp",
                System.getProperty("java.class.path"),
                Waiting.class.getName())));
        ChildProcess jvm = ChildProcess.start(
                "jvm", builder.directory(directory.toFile()), directory.resolve("log"), Lifetime.WITH_PARENT);
        try {
            jvm.awaitReady(() -> jvm.tail(1).contains("ready"), Duration.ofSeconds(30));

            assertThat(Jvm.flags(jvm.pid())).contains("-XX:MaxHeapSize=33554432", "-XX:+UseSerialGC");
            assertThat(Jvm.properties(jvm.pid())).containsEntry("blank", "a b=c");
        } finally {
            jvm.stop(Duration.ZERO);
        }
        assertThatThrownBy(() -> Jvm.flags(jvm.pid())).isInstanceOf(IOException.class);
    }

    @Test
    void leavesAProgramAloneThatIsNoJvm() {
        ProcessBuilder builder = new ProcessBuilder("sleep", "60").directory(directory.toFile());
        ChildProcess other = ChildProcess.start("other", builder, directory.resolve("log"), Lifetime.WITH_PARENT);
        try {
            assertThatThrownBy(() -> Jvm.flags(other.pid())).hasMessageContaining("is no JVM");
            assertThat(other.isAlive()).isTrue();
        } finally {
            other.stop(Duration.ZERO);
        }
    }

    static final class Waiting {
        public static void main(String[] args) throws InterruptedException {
            System.out.println("ready");
            Thread.currentThread().join();
        }
    }
}

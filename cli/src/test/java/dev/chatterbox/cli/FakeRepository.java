package dev.chatterbox.cli;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.jar.Attributes;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;

/** A checkout whose services are fakes: an aggregator, a direct transport "one" and "two", which has a NATS server. */
final class FakeRepository {

    private FakeRepository() {}

    static Repository create(Path root) throws IOException {
        transport(root, "one", 7575, "aggregator.env.FAKE_URL=http://localhost:${port}");
        transport(root, "two", 7576, "broker=dev.chatterbox.brokers.NatsServer");
        jar(root.resolve("aggregator-service/target/aggregator-service-1-exec.jar"));
        return new Repository(root);
    }

    static void transport(Path root, String name, int port, String more) throws IOException {
        Path module = Files.createDirectories(root.resolve("square-service-" + name));
        Files.writeString(module.resolve("transport.properties"), "name=%s\nport=%d\n%s\n".formatted(name, port, more));
        jar(module.resolve("target/square-service-" + name + "-1-exec.jar"));
    }

    private static void jar(Path jar) throws IOException {
        Files.createDirectories(jar.getParent());
        Manifest manifest = new Manifest();
        manifest.getMainAttributes().put(Attributes.Name.MANIFEST_VERSION, "1.0");
        manifest.getMainAttributes().put(Attributes.Name.MAIN_CLASS, FakeService.class.getName());
        String file = FakeService.class.getName().replace('.', '/') + ".class";
        try (OutputStream out = Files.newOutputStream(jar);
                JarOutputStream entries = new JarOutputStream(out, manifest);
                InputStream compiled = FakeService.class.getResourceAsStream("FakeService.class")) {
            entries.putNextEntry(new JarEntry(file));
            compiled.transferTo(entries);
        }
    }
}

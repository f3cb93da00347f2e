package dev.chatterbox.stack;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.jar.Attributes;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;

/**
 * A checkout whose services are fakes: an aggregator and the variants {@code one}, which is direct, {@code two} and its
 * variant {@code two-more}, which share a responder and a NATS server, and {@code script}, whose responder is no jar
 * but a shell command. The default variants are one and two.
 */
public final class FakeRepository {

    private FakeRepository() {}

    public static Repository create(Path root) throws IOException {
        variant(root, "one", """
                group=default
                kind=direct
                responder=square-service-one
                aggregator.env.FAKE_URL=http://localhost:${port.http}
                """);
        variant(root, "two", """
                group=default
                kind=broker
                responder=square-service-two
                broker=nats
                broker.class=dev.chatterbox.brokers.NatsServer
                address.subject=two.subject
                """);
        variant(root, "script", """
                kind=direct
                responder=square-service-script
                """);
        Files.writeString(
                root.resolve("variants/two-more.properties"), "transport=two\nabout=two with other settings\n");
        for (String name : new String[] {"one", "two"}) {
            Path module = responder(root, name, name.equals("one") ? 7575 : 7576, "jar=target/s*-exec.jar");
            jar(module.resolve("target/square-service-" + name + "-1-exec.jar"));
        }
        Path script = responder(root, "script", 7600, """
                command=sh responder --quiet
                port.admin=7601
                env.ADMIN_PORT=${port.admin}""");
        Path classes = script.resolve("classes.jar");
        jar(classes);
        Files.writeString(
                script.resolve("responder"),
                "exec '%s' -jar classes.jar \"$@\"%n"
                        .formatted(Path.of(System.getProperty("java.home"), "bin", "java")));
        jar(root.resolve("aggregator-service/target/aggregator-service-1-exec.jar"));
        return Repository.of(Map.of("CHATTERBOX_HOME", root.toString()));
    }

    public static void variant(Path root, String name, String more) throws IOException {
        Path variants = Files.createDirectories(root.resolve("variants"));
        Files.writeString(
                variants.resolve(name + ".properties"),
                "transport=%s%nabout=a fake%nmodes=unary%nclient=fake.FakeClient%n%s%n".formatted(name, more));
    }

    /** @return the folder of the responder */
    public static Path responder(Path root, String name, int port, String more) throws IOException {
        Path module = Files.createDirectories(root.resolve("square-service-" + name));
        Files.writeString(module.resolve("responder.properties"), """
                %s
                port.http=%d
                health=/well
                metrics=/metrics
                faults=/faults
                env.SERVER_PORT=${port.http}
                env.CHATTERBOX_RESPONDER=${name}
                """.formatted(more, port));
        return module;
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

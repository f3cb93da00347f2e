package dev.chatterbox.variants;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.chatterbox.transport.CallMode;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class VariantsTests {

    private static final String PIGEON = """
            transport=pigeon
            about=by air
            group=default
            kind=broker
            modes=unary
            client=pigeon.PigeonSquareClient
            client.speed=fast
            responder=square-service-pigeon
            address.roof=red
            broker=loft
            broker.class=dev.chatterbox.brokers.Loft
            aggregator.env.LOFT_URL=http://localhost:${port.http}
            """;

    @TempDir
    Path folder;

    @Test
    void thoseOfThisCheckoutAreRight() {
        Variants variants = Variants.read(Path.of("."));
        assertThat(variants.byDefault()).isNotEmpty();
        assertThat(variants.all())
                .allSatisfy(variant -> assertThat(variant.description().about()).hasSizeLessThan(120));
    }

    @Test
    void aVariantTakesOverWhatItDoesNotSetItself() throws IOException {
        write("pigeon", PIGEON);
        write("pigeon-fat", "transport=pigeon\nabout=slowly\nclient.speed=slow");
        Variants variants = Variants.read(folder);
        Variant variant = variants.find("pigeon-fat").orElseThrow();
        Variant pigeon = variants.find("pigeon").orElseThrow();
        assertThat(variant.description().group()).isEqualTo(Variant.Group.ALL);
        assertThat(variant.description().about()).isEqualTo("slowly");
        assertThat(variant.client().settings()).containsEntry("speed", "slow");
        assertThat(variant.responder()).isEqualTo(pigeon.responder());
        assertThat(variant.broker()).isEqualTo(pigeon.broker());
        assertThat(variant.address("roof")).isEqualTo("red");
        assertThat(variant.client().type()).isEqualTo(pigeon.client().type());
        assertThat(variant.modes()).containsExactly(CallMode.UNARY);
    }

    @Test
    void whatARequestOutlivesIsNothingUnlessAVariantSaysMore() throws IOException {
        write("pigeon", PIGEON);
        write("pigeon-stored", "transport=pigeon\nabout=kept\noutlives=power-cut");
        Variants variants = Variants.read(folder);
        assertThat(variants.find("pigeon").orElseThrow().description().outlives())
                .isEqualTo(Outlives.NOTHING);
        assertThat(variants.find("pigeon-stored").orElseThrow().description().outlives())
                .isEqualTo(Outlives.POWER_CUT);

        write("pigeon-lost", "transport=pigeon\nabout=gone\noutlives=storm");
        assertThatThrownBy(() -> Variants.read(folder))
                .hasMessageContaining("outlives is 'storm', but must be one of nothing, responder, broker, power-cut");
    }

    @Test
    void whatAMessageOutlivesIsWhatARequestOutlivesUnlessAVariantSaysElse() throws IOException {
        write("pigeon", PIGEON + "\noutlives=responder\nqueue=dev.Flock");
        write("pigeon-stored", "transport=pigeon\nabout=kept\nqueue.outlives=power-cut");
        Variants variants = Variants.read(folder);

        assertThat(queue(variants, "pigeon").outlives()).isEqualTo(Outlives.RESPONDER);
        assertThat(queue(variants, "pigeon-stored").outlives()).isEqualTo(Outlives.POWER_CUT);
        assertThat(queue(variants, "pigeon-stored").settings()).isEmpty();
        assertThat(variants.find("pigeon-stored").orElseThrow().description().outlives())
                .isEqualTo(Outlives.RESPONDER);

        write("pigeon", PIGEON + "\nqueue=dev.Flock\nqueue.outlives=broker");
        write("pigeon-further", "transport=pigeon\nabout=kept too");
        assertThat(queue(Variants.read(folder), "pigeon-further").outlives()).isEqualTo(Outlives.BROKER);
    }

    private static Variant.Queue queue(Variants variants, String name) {
        return variants.find(name).orElseThrow().queue().orElseThrow();
    }

    @Test
    void aVariantLeavesOutWhatItSetsToNothing() throws IOException {
        write("pigeon", PIGEON);
        write("pigeon-plain", "transport=pigeon\nabout=as it comes\nclient.speed=");
        assertThat(Variants.read(folder)
                        .find("pigeon-plain")
                        .orElseThrow()
                        .client()
                        .settings())
                .isEmpty();
    }

    @Test
    void aVariantMayHaveBoundsOfItsOwn() throws IOException {
        write("pigeon", PIGEON);
        write("pigeon-flock", "transport=pigeon\nabout=many\nbounds.per-request=256\nbounds.in-flight=8192");
        Variants variants = Variants.read(folder);
        assertThat(variants.find("pigeon").orElseThrow().client().bounds())
                .isEqualTo(new Variant.Bounds(OptionalInt.empty(), OptionalInt.empty()));
        assertThat(variants.find("pigeon-flock").orElseThrow().client().bounds())
                .isEqualTo(new Variant.Bounds(OptionalInt.of(256), OptionalInt.of(8192)));
    }

    @Test
    void readsFurtherFoldersInWhichNoVariantIsThereTwice(@TempDir Path further) throws IOException {
        write("pigeon", PIGEON);
        assertThatThrownBy(() -> Variants.read(folder, further))
                .isInstanceOf(VariantException.class)
                .hasMessage("There is no variant in %s.", further);
        Files.writeString(further.resolve("pigeon-swift.properties"), "transport=pigeon\nabout=soon there");
        assertThat(Variants.read(folder, further).names()).containsExactly("pigeon", "pigeon-swift");
        Files.writeString(further.resolve("pigeon.properties"), PIGEON);
        assertThatThrownBy(() -> Variants.read(folder, further))
                .isInstanceOf(VariantException.class)
                .hasMessageContainingAll(further.toString(), folder.toString(), "it needs another name");
    }

    @Test
    void choosesByNameAllAndByDefault() throws IOException {
        write("pigeon", PIGEON);
        write("pigeon-fat", "transport=pigeon\nabout=slowly");
        write("pigeon-odd", "transport=pigeon\nabout=seldom\ngroup=opt-in");
        write("pigeon-told", "transport=pigeon\nabout=as a hunter told it\ngroup=claims");
        Variants variants = Variants.read(folder);
        assertThat(variants.choose(List.of())).extracting(Variant::name).containsExactly("pigeon");
        assertThat(variants.choose(List.of("claims"))).extracting(Variant::name).containsExactly("pigeon-told");
        assertThat(variants.choose(List.of("all"))).extracting(Variant::name).containsExactly("pigeon", "pigeon-fat");
        assertThat(variants.choose(List.of("each", "pigeon-odd")))
                .extracting(Variant::name)
                .containsExactly("pigeon", "pigeon-odd");
        assertThat(variants.choose(List.of("pigeon-odd", "pigeon", "pigeon")))
                .extracting(Variant::name)
                .containsExactly("pigeon", "pigeon-odd");
        assertThatThrownBy(() -> variants.choose(List.of("crow")))
                .isInstanceOf(VariantException.class)
                .hasMessageContaining("no transport 'crow'")
                .hasMessageContaining("pigeon, pigeon-fat, pigeon-odd")
                .hasMessageContaining("all but pigeon-odd")
                .hasMessageContaining("'each' one of each transport");
    }

    @Test
    void twoProcessesMayNotShareAnAddress() throws IOException {
        write("pigeon", PIGEON);
        write("pigeon-two", "transport=pigeon\nabout=two\nresponder.name=square-service-pigeon-two");
        assertThatThrownBy(() -> Variants.read(folder))
                .hasMessageContaining("pigeon.properties")
                .hasMessageContaining("pigeon-two.properties")
                .hasMessageContaining("at one address of the broker loft");
        write("pigeon-two", "transport=pigeon\nabout=two\nresponder.name=square-service-pigeon-two\naddress.roof=blue");
        assertThat(Variants.read(folder).names()).hasSize(2);
    }

    @Test
    void oneProcessMayNotHaveTwoDescriptions() throws IOException {
        write("pigeon", PIGEON);
        write("pigeon-two", "transport=pigeon\nabout=two\naddress.roof=blue");
        assertThatThrownBy(() -> Variants.read(folder))
                .hasMessageContaining("share the responder process square-service-pigeon");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '"',
            value = {
                "kind=broker | kind=boat | kind is 'boat', but must be one of direct, broker, log, memory",
                "modes=unary | modes=unary,chat | modes is 'chat', but must be one of unary, batch, stream",
                "modes=unary | # | modes is '', but must be one of unary",
                "about=by air | colour=grey | 'colour' is not known; known are about, address., aggregator.env., bounds.in-flight, bounds.per-request, broker,",
                "client.speed=fast | responder.colour=grey | 'responder.colour' is not known; known are about, address., aggregator.env., bounds.in-flight, bounds.per-request, broker,",
                "client.speed=fast | client.speed.up=fast | 'client.speed.up' is not known",
                "client.speed=fast | bounds.in-flight=many | bounds.in-flight is 'many', but must be 1 to 100000",
                "client.speed=fast | responder.port.http=0 | responder.port.http is '0', but must be 1 to 65535",
                "about=by air | # | about is ''",
                "client=pigeon.PigeonSquareClient | client=pigeon | client is 'pigeon'",
                "group=default | group=often | group is 'often', but must be one of default, all, opt-in, claims",
                "client.speed=fast | bounds.in-flight=0 | bounds.in-flight is '0', but must be 1 to 100000",
                "client.speed=fast | bounds.per-request=100001 | bounds.per-request is '100001', but must be 1 to 100000",
                "transport=pigeon | transport=crow | must be its transport, crow",
                "broker.class=dev.chatterbox.brokers.Loft | # | broker.class is ''",
            })
    void saysWhatIsWrongAndWhere(String line, String instead, String message) throws IOException {
        write("pigeon", PIGEON.replace(line, instead));
        assertThatThrownBy(() -> Variants.read(folder))
                .isInstanceOf(VariantException.class)
                .hasMessageContaining("pigeon.properties")
                .hasMessageContaining(message);
    }

    @Test
    void aVariantNeedsTheVariantOfItsTransport() throws IOException {
        write("pigeon-fat", "transport=pigeon\nabout=slowly");
        assertThatThrownBy(() -> Variants.read(folder))
                .hasMessageContaining("there is no variant pigeon that it could vary");
    }

    @Test
    void aResponderGetsItsPortsAddressAndName() throws IOException {
        write("pigeon", PIGEON + "responder.port.http=7600\nresponder.env.SLOW=${port.loft}\n");
        Files.writeString(folder.resolve(ResponderProgram.FILE), """
                command=python3 pigeon.py --quick
                port.http=7599
                port.loft=7598
                health=/health
                metrics=/metrics
                ask.loft=coo\\\\r\\\\n\\\\0\\\\377
                answer.loft=coo
                env.SERVER_PORT=${port.http}
                env.ROOF=${address.roof} of ${name}
                """);
        ResponderProgram program = ResponderProgram.read(folder);
        Files.delete(folder.resolve(ResponderProgram.FILE));
        Variant variant = Variants.read(folder).find("pigeon").orElseThrow();
        Map<String, Integer> ports = program.ports(variant.responder().orElseThrow());
        assertThat(program.start().command()).containsExactly("python3", "pigeon.py", "--quick");
        assertThat(ports).isEqualTo(Map.of("http", 7600, "loft", 7598));
        assertThat(program.probes()).isEqualTo(Map.of("loft", new ResponderProgram.Probe("coo\r\n\0\u00ff", "coo")));
        assertThat(ResponderProgram.aggregatorRoles(variant)).containsExactly("http");
        assertThat(program.environment(variant, ports))
                .isEqualTo(Map.of("SERVER_PORT", "7600", "ROOF", "red of square-service-pigeon", "SLOW", "7598"));
        assertThat(ResponderProgram.aggregatorEnvironment(variant, ports))
                .isEqualTo(Map.of("LOFT_URL", "http://localhost:7600"));
    }

    @Test
    void aPythonResponderFindsItsModules() throws IOException {
        write("pigeon", PIGEON);
        Variant variant = Variants.read(folder).find("pigeon").orElseThrow();
        String ports = "port.http=7599\nport.loft=7598\nhealth=/health\nmetrics=/metrics\n";
        Files.writeString(folder.resolve(ResponderProgram.FILE), "python=pigeon\n" + ports);
        ResponderProgram program = ResponderProgram.read(folder);

        assertThat(program.pythonCommand(Path.of("bin", "python"))).containsExactly("bin/python", "-m", "pigeon");
        assertThat(program.environment(variant, program.ports()))
                .containsEntry(
                        "PYTHONPATH",
                        folder.resolve("src/main/python") + File.pathSeparator + folder.resolve("target/python"));

        Files.writeString(folder.resolve(ResponderProgram.FILE), "python=pigeon\ncommand=pigeon\n" + ports);
        assertThatThrownBy(() -> ResponderProgram.read(folder))
                .isInstanceOf(VariantException.class)
                .hasMessageContaining("either jar, python or command");
    }

    @Test
    void aDescriptionSaysWhichJavaItsJarNeeds() throws IOException {
        Path file = folder.resolve(ResponderProgram.FILE);
        String jar = "jar=pigeon.jar\nport.http=7599\nhealth=/health\nmetrics=/metrics\n";
        Files.writeString(file, jar);
        assertThat(ResponderProgram.read(folder).start().java()).isEqualTo(17);

        Files.writeString(file, jar + "java=21\n");
        assertThat(ResponderProgram.read(folder).start().java()).isEqualTo(21);

        Files.writeString(file, jar + "java=newer\n");
        assertThatThrownBy(() -> ResponderProgram.read(folder))
                .isInstanceOf(VariantException.class)
                .hasMessageContaining("java is 'newer'");
    }

    @Test
    void aDescriptionHasOnlyKeysThatThereAre() throws IOException {
        Path file = folder.resolve(ResponderProgram.FILE);
        Files.writeString(file, "command=pigeon\nport.http=7599\nhealth=/health\nmetrics=/metrics\nwings=two\n");

        assertThatThrownBy(() -> ResponderProgram.read(folder))
                .isInstanceOf(VariantException.class)
                .hasMessage(
                        "%s: 'wings' is not known; known are answer., ask., command, env., faults, health, jar,"
                                + " java, metrics, port., python.",
                        file);
    }

    @ParameterizedTest
    @CsvSource({
        "'ask.http=coo', answer.http is",
        "'answer.http=coo', ask.http is",
        "'ask.http=\\\\q\nanswer.http=coo', escapes of Java"
    })
    void aProbeHasARequestAReplyAndEscapesOfJava(String lines, String message) throws IOException {
        Files.writeString(
                folder.resolve(ResponderProgram.FILE),
                "command=pigeon\nport.http=7599\nhealth=/health\nmetrics=/metrics\n" + lines);

        assertThatThrownBy(() -> ResponderProgram.read(folder))
                .isInstanceOf(VariantException.class)
                .hasMessageContaining(message);
    }

    private void write(String name, String text) throws IOException {
        Files.writeString(folder.resolve(name + ".properties"), text);
    }
}

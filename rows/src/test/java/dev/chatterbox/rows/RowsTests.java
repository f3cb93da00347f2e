package dev.chatterbox.rows;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.chatterbox.transport.Exchange;
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

class RowsTests {

    private static final String PIGEON = """
            transport=pigeon
            about=by air
            group=default
            kind=broker
            exchanges=unary
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
        Rows rows = Rows.read(Path.of("."));
        assertThat(rows.byDefault()).isNotEmpty();
        assertThat(rows.all()).allSatisfy(row -> assertThat(row.about()).hasSizeLessThan(120));
    }

    @Test
    void aVariantTakesOverWhatItDoesNotSetItself() throws IOException {
        write("pigeon", PIGEON);
        write("pigeon-fat", "transport=pigeon\nabout=slowly\nclient.speed=slow");
        Rows rows = Rows.read(folder);
        Row variant = rows.find("pigeon-fat").orElseThrow();
        Row pigeon = rows.find("pigeon").orElseThrow();
        assertThat(variant.group()).isEqualTo(Row.Group.ALL);
        assertThat(variant.about()).isEqualTo("slowly");
        assertThat(variant.clientSettings()).containsEntry("speed", "slow");
        assertThat(variant.responder()).isEqualTo(pigeon.responder());
        assertThat(variant.broker()).isEqualTo(pigeon.broker());
        assertThat(variant.address("roof")).isEqualTo("red");
        assertThat(variant.client()).isEqualTo(pigeon.client());
        assertThat(variant.exchanges()).containsExactly(Exchange.UNARY);
    }

    @Test
    void whatARequestOutlivesIsNothingUnlessARowSaysMore() throws IOException {
        write("pigeon", PIGEON);
        write("pigeon-stored", "transport=pigeon\nabout=kept\noutlives=power-cut");
        Rows rows = Rows.read(folder);
        assertThat(rows.find("pigeon").orElseThrow().outlives()).isEqualTo(Outlives.NOTHING);
        assertThat(rows.find("pigeon-stored").orElseThrow().outlives()).isEqualTo(Outlives.POWER_CUT);

        write("pigeon-lost", "transport=pigeon\nabout=gone\noutlives=storm");
        assertThatThrownBy(() -> Rows.read(folder))
                .hasMessageContaining("outlives is 'storm', but must be one of nothing, responder, broker, power-cut");
    }

    @Test
    void aVariantLeavesOutWhatItSetsToNothing() throws IOException {
        write("pigeon", PIGEON);
        write("pigeon-plain", "transport=pigeon\nabout=as it comes\nclient.speed=");
        assertThat(Rows.read(folder).find("pigeon-plain").orElseThrow().clientSettings())
                .isEmpty();
    }

    @Test
    void aRowMayHaveBoundsOfItsOwn() throws IOException {
        write("pigeon", PIGEON);
        write("pigeon-flock", "transport=pigeon\nabout=many\nbounds.per-request=256\nbounds.in-flight=8192");
        Rows rows = Rows.read(folder);
        assertThat(rows.find("pigeon").orElseThrow().bounds())
                .isEqualTo(new Row.Bounds(OptionalInt.empty(), OptionalInt.empty()));
        assertThat(rows.find("pigeon-flock").orElseThrow().bounds())
                .isEqualTo(new Row.Bounds(OptionalInt.of(256), OptionalInt.of(8192)));
    }

    @Test
    void readsFurtherFoldersInWhichNoRowIsThereTwice(@TempDir Path further) throws IOException {
        write("pigeon", PIGEON);
        assertThatThrownBy(() -> Rows.read(folder, further))
                .isInstanceOf(RowException.class)
                .hasMessage("There is no row in %s.", further);
        Files.writeString(further.resolve("pigeon-swift.properties"), "transport=pigeon\nabout=soon there");
        assertThat(Rows.read(folder, further).names()).containsExactly("pigeon", "pigeon-swift");
        Files.writeString(further.resolve("pigeon.properties"), PIGEON);
        assertThatThrownBy(() -> Rows.read(folder, further))
                .isInstanceOf(RowException.class)
                .hasMessageContainingAll(further.toString(), folder.toString(), "it needs another name");
    }

    @Test
    void choosesByNameAllAndByDefault() throws IOException {
        write("pigeon", PIGEON);
        write("pigeon-fat", "transport=pigeon\nabout=slowly");
        write("pigeon-odd", "transport=pigeon\nabout=seldom\ngroup=opt-in");
        write("pigeon-told", "transport=pigeon\nabout=as a hunter told it\ngroup=claims");
        Rows rows = Rows.read(folder);
        assertThat(rows.choose(List.of())).extracting(Row::name).containsExactly("pigeon");
        assertThat(rows.choose(List.of("claims"))).extracting(Row::name).containsExactly("pigeon-told");
        assertThat(rows.choose(List.of("all"))).extracting(Row::name).containsExactly("pigeon", "pigeon-fat");
        assertThat(rows.choose(List.of("each", "pigeon-odd")))
                .extracting(Row::name)
                .containsExactly("pigeon", "pigeon-odd");
        assertThat(rows.choose(List.of("pigeon-odd", "pigeon", "pigeon")))
                .extracting(Row::name)
                .containsExactly("pigeon", "pigeon-odd");
        assertThatThrownBy(() -> rows.choose(List.of("crow")))
                .isInstanceOf(RowException.class)
                .hasMessageContaining("no transport 'crow'")
                .hasMessageContaining("pigeon, pigeon-fat, pigeon-odd")
                .hasMessageContaining("all but pigeon-odd")
                .hasMessageContaining("'each' one of each transport");
    }

    @Test
    void twoProcessesMayNotShareAnAddress() throws IOException {
        write("pigeon", PIGEON);
        write("pigeon-two", "transport=pigeon\nabout=two\nresponder.name=square-service-pigeon-two");
        assertThatThrownBy(() -> Rows.read(folder))
                .hasMessageContaining("pigeon.properties")
                .hasMessageContaining("pigeon-two.properties")
                .hasMessageContaining("at one address of the broker loft");
        write("pigeon-two", "transport=pigeon\nabout=two\nresponder.name=square-service-pigeon-two\naddress.roof=blue");
        assertThat(Rows.read(folder).names()).hasSize(2);
    }

    @Test
    void oneProcessMayNotHaveTwoDescriptions() throws IOException {
        write("pigeon", PIGEON);
        write("pigeon-two", "transport=pigeon\nabout=two\naddress.roof=blue");
        assertThatThrownBy(() -> Rows.read(folder))
                .hasMessageContaining("share the responder process square-service-pigeon");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '"',
            value = {
                "kind=broker | kind=boat | kind is 'boat', but must be one of direct, broker, log, memory",
                "exchanges=unary | exchanges=unary,chat | exchanges is 'chat', but must be one of unary, batch, stream",
                "exchanges=unary | # | exchanges is '', but must be one of unary",
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
        assertThatThrownBy(() -> Rows.read(folder))
                .isInstanceOf(RowException.class)
                .hasMessageContaining("pigeon.properties")
                .hasMessageContaining(message);
    }

    @Test
    void aVariantNeedsTheRowOfItsTransport() throws IOException {
        write("pigeon-fat", "transport=pigeon\nabout=slowly");
        assertThatThrownBy(() -> Rows.read(folder)).hasMessageContaining("there is no row pigeon that it could vary");
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
        Row row = Rows.read(folder).find("pigeon").orElseThrow();
        Map<String, Integer> ports = program.ports(row.responder().orElseThrow());
        assertThat(program.command()).containsExactly("python3", "pigeon.py", "--quick");
        assertThat(ports).isEqualTo(Map.of("http", 7600, "loft", 7598));
        assertThat(program.probes()).isEqualTo(Map.of("loft", new ResponderProgram.Probe("coo\r\n\0\u00ff", "coo")));
        assertThat(ResponderProgram.aggregatorRoles(row)).containsExactly("http");
        assertThat(program.environment(row, ports))
                .isEqualTo(Map.of("SERVER_PORT", "7600", "ROOF", "red of square-service-pigeon", "SLOW", "7598"));
        assertThat(ResponderProgram.aggregatorEnvironment(row, ports))
                .isEqualTo(Map.of("LOFT_URL", "http://localhost:7600"));
    }

    @Test
    void aPythonResponderFindsItsModules() throws IOException {
        write("pigeon", PIGEON);
        Row row = Rows.read(folder).find("pigeon").orElseThrow();
        String ports = "port.http=7599\nport.loft=7598\nhealth=/health\nmetrics=/metrics\n";
        Files.writeString(folder.resolve(ResponderProgram.FILE), "python=pigeon\n" + ports);
        ResponderProgram program = ResponderProgram.read(folder);

        assertThat(program.pythonCommand(Path.of("bin", "python"))).containsExactly("bin/python", "-m", "pigeon");
        assertThat(program.environment(row, program.ports()))
                .containsEntry(
                        "PYTHONPATH",
                        folder.resolve("src/main/python") + File.pathSeparator + folder.resolve("target/python"));

        Files.writeString(folder.resolve(ResponderProgram.FILE), "python=pigeon\ncommand=pigeon\n" + ports);
        assertThatThrownBy(() -> ResponderProgram.read(folder))
                .isInstanceOf(RowException.class)
                .hasMessageContaining("either jar, python or command");
    }

    @Test
    void aDescriptionHasOnlyKeysThatThereAre() throws IOException {
        Path file = folder.resolve(ResponderProgram.FILE);
        Files.writeString(file, "command=pigeon\nport.http=7599\nhealth=/health\nmetrics=/metrics\nwings=two\n");

        assertThatThrownBy(() -> ResponderProgram.read(folder))
                .isInstanceOf(RowException.class)
                .hasMessage(
                        "%s: 'wings' is not known; known are answer., ask., command, env., faults, health, jar,"
                                + " metrics, port., python.",
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
                .isInstanceOf(RowException.class)
                .hasMessageContaining(message);
    }

    private void write(String name, String text) throws IOException {
        Files.writeString(folder.resolve(name + ".properties"), text);
    }
}

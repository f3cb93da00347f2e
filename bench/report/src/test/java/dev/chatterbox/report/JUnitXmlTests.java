package dev.chatterbox.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.StringReader;
import java.util.ArrayList;
import java.util.List;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.w3c.dom.Document;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;
import org.xml.sax.InputSource;

class JUnitXmlTests {

    @Test
    void hasASuiteForEachWorkloadAndATestForEachVariant() throws Exception {
        Document document = document(SampleRun.quick(1), 0);

        assertThat(elements(document, "testsuite"))
                .extracting(suite -> suite.getAttribute("name"))
                .contains("unary calls=100 users=25", "unary calls=1000 users=8");
        assertThat(elements(document, "testcase"))
                .filteredOn(test -> test.getAttribute("classname").equals("unary calls=1000 users=8"))
                .extracting(test -> test.getAttribute("name"))
                .containsExactlyInAnyOrder("memory", "rest", "nats", "kafka");
        assertThat(elements(document, "failure")).isEmpty();
        assertThat(elements(document, "system-out"))
                .allSatisfy(output -> assertThat(output.getTextContent()).contains("CPU-µs a call"));
    }

    @Test
    void failsAVariantThatIsNotValidAndSkipsOneThatIsOnlyDoubted() throws Exception {
        Document document = document(
                SampleRun.quick(1).out("nats", 1000, "a request <failed>: 504").doubted("kafka", "it was not warm"), 0);

        assertThat(elements(document, "failure")).isNotEmpty().allSatisfy(failure -> {
            assertThat(name(failure)).isEqualTo("nats");
            assertThat(failure.getAttribute("message")).isEqualTo("a request <failed>: 504");
        });
        assertThat(elements(document, "skipped")).isNotEmpty().allSatisfy(skipped -> {
            assertThat(name(skipped)).isEqualTo("kafka");
            assertThat(skipped.getAttribute("message")).isEqualTo("it was not warm");
        });
        assertThat(elements(document, "testsuite"))
                .allSatisfy(suite -> assertThat(suite.getAttribute("failures")).isEqualTo("1"));
    }

    @Test
    void failsAVariantThatIsDearerThanTheBaseByMoreThanIsAllowed() throws Exception {
        assertThat(elements(document(AgainstTests.sample(1.3), 0.05), "failure"))
                .hasSize(2)
                .allSatisfy(failure -> {
                    assertThat(name(failure)).isEqualTo("nats");
                    assertThat(failure.getAttribute("message")).matches("costs .* more");
                });
        assertThat(elements(document(AgainstTests.sample(1.3), Double.POSITIVE_INFINITY), "failure"))
                .isEmpty();
    }

    @Test
    void saysThatAVariantHasTooFewBlocks() throws Exception {
        String workload = "unary calls=100 users=25";
        List<SampleRun.SampleVariant> rest = List.of(SampleRun.REST);
        SampleRun few = new SampleRun("against", 1, rest)
                .side(Against.BASE)
                .measure(workload, rest, 3, 1)
                .side(Against.THIS)
                .measure(workload, rest, 3, 1);

        assertThat(elements(document(few, 0.05), "failure"))
                .singleElement()
                .satisfies(
                        failure -> assertThat(failure.getAttribute("message")).isEqualTo("too few blocks to judge"));
    }

    private static String name(Element element) {
        return ((Element) element.getParentNode()).getAttribute("name");
    }

    private static Document document(SampleRun run, double failAbove) throws Exception {
        String xml = JUnitXml.of(MeasuredRun.of("run", run.results()), failAbove);
        return DocumentBuilderFactory.newInstance().newDocumentBuilder().parse(new InputSource(new StringReader(xml)));
    }

    private static List<Element> elements(Document document, String name) {
        NodeList nodes = document.getElementsByTagName(name);
        List<Element> elements = new ArrayList<>();
        for (int i = 0; i < nodes.getLength(); i++) {
            elements.add((Element) nodes.item(i));
        }
        return elements;
    }
}

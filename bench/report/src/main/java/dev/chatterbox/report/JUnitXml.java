package dev.chatterbox.report;

import dev.chatterbox.results.Caveat;
import dev.chatterbox.results.Cell;
import dev.chatterbox.results.Ranking;
import dev.chatterbox.results.SliceFigures;
import java.io.StringWriter;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import javax.xml.stream.XMLOutputFactory;
import javax.xml.stream.XMLStreamException;
import javax.xml.stream.XMLStreamWriter;
import org.jspecify.annotations.Nullable;

/**
 * A run for continuous integration, in the XML format that JUnit's tools read: a suite is a workload, a test is a row.
 * A test fails if its row makes the command fail: the row is not valid, cannot be judged, or is dearer than the base by
 * more than is allowed. A row that is valid but not ranked is skipped.
 */
final class JUnitXml {

    /**
     * @param element {@code failure} or {@code skipped}; null if the test passed
     * @param message why the test did not pass
     * @param output what was measured
     */
    private record Test(
            String name, double seconds, @Nullable String element, String message, String output) {}

    private JUnitXml() {}

    /** @param failAbove the part by which a row may be dearer than the base: 0.05 is 5 % */
    static String of(MeasuredRun run, double failAbove) {
        Map<String, List<Test>> suites = run.hasSides() ? sides(run, failAbove) : rows(run);
        StringWriter text = new StringWriter();
        try {
            XMLStreamWriter xml = XMLOutputFactory.newDefaultFactory().createXMLStreamWriter(text);
            xml.writeStartDocument("UTF-8", "1.0");
            xml.writeStartElement("testsuites");
            xml.writeAttribute("name", "chatterbox " + run.meta());
            for (Map.Entry<String, List<Test>> suite : suites.entrySet()) {
                write(xml, suite.getKey(), suite.getValue());
            }
            xml.writeEndDocument();
        } catch (XMLStreamException e) {
            throw new IllegalStateException(e);
        }
        return text.append("\n").toString();
    }

    private static Map<String, List<Test>> rows(MeasuredRun run) {
        Map<String, List<Test>> suites = new LinkedHashMap<>();
        for (Ranking ranking : run.rankings()) {
            suites.put(
                    ranking.workload().toString(),
                    ranking.places().stream().map(JUnitXml::test).toList());
        }
        return suites;
    }

    private static Test test(Ranking.Place place) {
        Cell cell = place.cell();
        String element = !cell.valid() ? "failure" : cell.doubts().isEmpty() ? null : "skipped";
        List<String> why = new ArrayList<>(cell.doubts());
        cell.slices().stream()
                .map(SliceFigures::reasons)
                .flatMap(List::stream)
                .distinct()
                .forEach(why::add);
        return new Test(
                cell.row(),
                seconds(cell),
                element,
                String.join("; ", why),
                "%s CPU-µs a call".formatted(Numbers.withInterval(place.cost(), Numbers::digits)));
    }

    private static Map<String, List<Test>> sides(MeasuredRun run, double failAbove) {
        return Against.of(run.results(), run.estimator()).ratios().stream()
                .collect(Collectors.groupingBy(
                        ratio -> ratio.workload().toString(),
                        LinkedHashMap::new,
                        Collectors.mapping(ratio -> test(run, ratio, failAbove), Collectors.toList())));
    }

    private static Test test(MeasuredRun run, Against.Ratio ratio, double failAbove) {
        boolean failed = !ratio.isJudged() || ratio.isDearerThan(failAbove);
        return new Test(
                ratio.row(),
                run.results()
                        .cell(ratio.row(), ratio.workload(), Against.THIS)
                        .map(JUnitXml::seconds)
                        .orElse(0.0),
                failed ? "failure" : null,
                ratio.cpu().caveats().isEmpty()
                        ? ratio.verdict()
                        : ratio.cpu().caveats().stream().map(Caveat::toString).collect(Collectors.joining("; ")),
                "%s CPU-µs a call, the base %s: %s"
                        .formatted(
                                Numbers.digits(ratio.own().value()),
                                Numbers.digits(ratio.base().value()),
                                ratio.verdict()));
    }

    private static double seconds(Cell cell) {
        return cell.slices().stream().mapToDouble(SliceFigures::seconds).sum();
    }

    private static void write(XMLStreamWriter xml, String name, List<Test> tests) throws XMLStreamException {
        xml.writeStartElement("testsuite");
        xml.writeAttribute("name", name);
        xml.writeAttribute("tests", String.valueOf(tests.size()));
        for (String element : List.of("failure", "skipped")) {
            long count = tests.stream()
                    .filter(test -> element.equals(test.element()))
                    .count();
            xml.writeAttribute(element.equals("failure") ? "failures" : element, String.valueOf(count));
        }
        for (Test test : tests) {
            xml.writeStartElement("testcase");
            xml.writeAttribute("classname", name);
            xml.writeAttribute("name", test.name());
            xml.writeAttribute("time", String.format(Locale.ROOT, "%.3f", test.seconds()));
            if (test.element() != null) {
                xml.writeEmptyElement(test.element());
                xml.writeAttribute("message", test.message());
            }
            xml.writeStartElement("system-out");
            xml.writeCharacters(test.output());
            xml.writeEndElement();
            xml.writeEndElement();
        }
        xml.writeEndElement();
    }
}

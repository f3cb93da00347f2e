package dev.chatterbox.workloads;

import java.net.URLDecoder;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * A line of the {@link SliceChannel}: a verb and the components of a record in their order, encoded so that none has a
 * blank. Neither end needs a library for this; the bare clients have none.
 */
final class Line {

    private final String line;
    private final Iterator<String> components;

    /** @throws WorkloadException the line has another verb */
    Line(String line, String verb) {
        List<String> parts = List.of(line.split(" ", -1));
        Workload.require(parts.get(0).equals(verb), "a line must begin with '%s', but it is '%s'", verb, line);
        this.line = line;
        components = parts.subList(1, parts.size()).iterator();
    }

    static String of(String verb, Object... components) {
        return Stream.of(components)
                .flatMap(Line::elements)
                .map(element -> URLEncoder.encode(element.toString(), StandardCharsets.UTF_8))
                .collect(Collectors.joining(" ", verb + " ", ""));
    }

    /** The elements of a component: of a map its size, then each key and each value. */
    private static Stream<?> elements(Object component) {
        return component instanceof Map<?, ?> map
                ? Stream.concat(
                        Stream.of(map.size()),
                        map.entrySet().stream().flatMap(entry -> Stream.of(entry.getKey(), entry.getValue())))
                : Stream.of(component);
    }

    /** Reads the next component, as the methods below do. */
    String text() {
        Workload.require(components.hasNext(), "'%s' is too short", line);
        return URLDecoder.decode(components.next(), StandardCharsets.UTF_8);
    }

    long whole() {
        return number(Long::valueOf);
    }

    double number() {
        return number(Double::valueOf);
    }

    Map<String, Long> counts() {
        Map<String, Long> counts = new TreeMap<>();
        for (long left = whole(); left > 0; left--) {
            counts.put(text(), whole());
        }
        return counts;
    }

    private <T> T number(Function<String, T> reader) {
        String text = text();
        try {
            return reader.apply(text);
        } catch (NumberFormatException e) {
            throw new WorkloadException("'%s' is no number in '%s'".formatted(text, line));
        }
    }
}

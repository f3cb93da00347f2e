package dev.chatterbox.workloads;

import java.net.URLDecoder;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * A line of the {@link SliceChannel}: a verb and members as an HTML form has them. Both ends need no library for it,
 * and the bare clients have none.
 */
record Line(Map<String, String> members) {

    static String of(String verb, Map<String, String> members) {
        return verb + " "
                + members.entrySet().stream()
                        .map(member -> encoded(member.getKey()) + "=" + encoded(member.getValue()))
                        .collect(Collectors.joining("&"));
    }

    /** @throws WorkloadException the line has another verb, or no members */
    static Line parse(String line, String verb) {
        Workload.require(line.startsWith(verb + " "), "a line must begin with '%s', but it is '%s'", verb, line);
        Map<String, String> members = new LinkedHashMap<>();
        for (String member : line.substring(verb.length() + 1).split("&")) {
            int equals = member.indexOf('=');
            Workload.require(equals > 0, "'%s' has no value in '%s'", member, line);
            members.put(decoded(member.substring(0, equals)), decoded(member.substring(equals + 1)));
        }
        return new Line(members);
    }

    Stream<String> names() {
        return members.keySet().stream();
    }

    String text(String name) {
        String value = members.get(name);
        if (value == null) {
            throw new WorkloadException("'%s' is missing in %s".formatted(name, members));
        }
        return value;
    }

    long whole(String name) {
        try {
            return Long.parseLong(text(name));
        } catch (NumberFormatException e) {
            throw new WorkloadException("%s must be a whole number, but it is '%s'".formatted(name, text(name)));
        }
    }

    double number(String name) {
        try {
            return Double.parseDouble(text(name));
        } catch (NumberFormatException e) {
            throw new WorkloadException("%s must be a number, but it is '%s'".formatted(name, text(name)));
        }
    }

    private static String encoded(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8);
    }

    private static String decoded(String text) {
        return URLDecoder.decode(text, StandardCharsets.UTF_8);
    }
}

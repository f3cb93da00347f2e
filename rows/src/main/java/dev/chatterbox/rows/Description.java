package dev.chatterbox.rows;

import java.io.IOException;
import java.io.Reader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Properties;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;

/** The keys and values of a description, with checks that name the file, the key and what would be right. */
record Description(String file, Map<String, String> values) {

    static final String NAME = "[a-z][a-z0-9]*(-[a-z0-9]+)*";
    static final String PORT = "[1-9][0-9]{0,4}";

    static Description read(Path path) {
        Properties properties = new Properties();
        try (Reader reader = Files.newBufferedReader(path)) {
            properties.load(reader);
        } catch (IOException | IllegalArgumentException e) {
            throw new RowException("%s cannot be read: %s".formatted(path, e.getMessage()));
        }
        return of(path.toString(), properties);
    }

    static Description of(String file, Properties properties) {
        Map<String, String> values = new TreeMap<>();
        properties
                .stringPropertyNames()
                .forEach(key -> values.put(key, properties.getProperty(key).strip()));
        return new Description(file, values);
    }

    /** @param known keys; one that ends in a dot stands for all that begin with it */
    void requireKnown(Set<String> known) {
        for (String key : values.keySet()) {
            if (known.stream().noneMatch(each -> each.endsWith(".") ? key.startsWith(each) : key.equals(each))) {
                throw new RowException("%s: '%s' is not known; known are %s."
                        .formatted(
                                file,
                                key,
                                String.join(", ", known.stream().sorted().toList())));
            }
        }
    }

    Optional<String> find(String key) {
        return Optional.ofNullable(values.get(key)).filter(value -> !value.isEmpty());
    }

    String get(String key, String pattern) {
        return check(key, values.getOrDefault(key, ""), pattern);
    }

    private String check(String key, String value, String pattern) {
        if (!value.matches(pattern)) {
            throw new RowException("%s: %s is '%s', but must match %s.".formatted(file, key, value, pattern));
        }
        return value;
    }

    /**
     * A whole number.
     *
     * @param most the largest; the least is 1
     * @return empty where the key is absent
     */
    OptionalInt number(String key, int most) {
        String value = values.get(key);
        if (value == null) {
            return OptionalInt.empty();
        }
        int number = value.matches("[1-9][0-9]{0,8}") ? Integer.parseInt(value) : 0;
        if (number < 1 || number > most) {
            throw new RowException("%s: %s is '%s', but must be 1 to %d.".formatted(file, key, value, most));
        }
        return OptionalInt.of(number);
    }

    List<String> list(String key, String pattern) {
        return Stream.of(values.getOrDefault(key, "").split(","))
                .map(value -> check(key, value.strip(), pattern))
                .toList();
    }

    /** What follows the prefix, with the values. */
    Map<String, String> below(String prefix) {
        Map<String, String> below = new TreeMap<>();
        values.forEach((key, value) -> {
            if (key.startsWith(prefix)) {
                below.put(key.substring(prefix.length()), value);
            }
        });
        return Map.copyOf(below);
    }

    Map<String, Integer> ports(String prefix) {
        Map<String, Integer> ports = new TreeMap<>();
        below(prefix).forEach((role, port) -> ports.put(role, Integer.parseInt(check(prefix + role, port, PORT))));
        return ports;
    }
}

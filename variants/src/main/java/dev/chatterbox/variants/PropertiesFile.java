package dev.chatterbox.variants;

import java.io.IOException;
import java.io.Reader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The keys and values of a properties file. Each error is a {@link VariantException} that names the file and the key. */
record PropertiesFile(String file, Map<String, String> values) {

    static PropertiesFile read(Path path) {
        Properties properties = new Properties();
        try (Reader reader = Files.newBufferedReader(path)) {
            properties.load(reader);
        } catch (IOException | IllegalArgumentException e) {
            throw new VariantException("%s cannot be read: %s".formatted(path, e.getMessage()));
        }
        return of(path.toString(), properties);
    }

    static PropertiesFile of(String file, Properties properties) {
        Map<String, String> values = new TreeMap<>();
        properties
                .stringPropertyNames()
                .forEach(key -> values.put(key, properties.getProperty(key).strip()));
        return new PropertiesFile(file, values);
    }

    /** Lays this file over another one. A key that this file sets to an empty value is left out of the result. */
    PropertiesFile over(PropertiesFile base, Set<String> notTakenOver) {
        Map<String, String> all = new TreeMap<>(base.values);
        all.keySet().removeAll(notTakenOver);
        all.putAll(values);
        all.values().removeIf(String::isEmpty);
        return new PropertiesFile(file, all);
    }

    /**
     * Makes what the file describes.
     *
     * @param keys its keys; each that ends with a dot stands for those that have one more word
     * @throws VariantException a key is not known, or the reader refuses a value
     */
    <T> T read(Set<String> keys, Function<PropertiesFile, T> reader) {
        try {
            for (String key : values.keySet()) {
                if (!keys.contains(key) && !keys.contains(key.substring(0, key.lastIndexOf('.') + 1))) {
                    throw new VariantException("'%s' is not known; known are %s."
                            .formatted(key, keys.stream().sorted().collect(Collectors.joining(", "))));
                }
            }
            return reader.apply(this);
        } catch (VariantException e) {
            throw new VariantException("%s: %s".formatted(file, e.getMessage()));
        }
    }

    /** The value of a key; empty if the file does not have it. */
    String text(String key) {
        return values.getOrDefault(key, "");
    }

    Optional<String> optional(String key) {
        return Optional.ofNullable(values.get(key)).filter(value -> !value.isEmpty());
    }

    /** The values of the keys that begin with the prefix, by what follows it. */
    Map<String, String> below(String prefix) {
        Map<String, String> below = new TreeMap<>();
        values.forEach((key, value) -> {
            if (key.startsWith(prefix)) {
                below.put(key.substring(prefix.length()), value);
            }
        });
        return below;
    }

    /** @throws VariantException the value does not match */
    String require(String key, String pattern) {
        String value = text(key);
        if (!value.matches(pattern)) {
            throw new VariantException("%s is '%s', but must match %s.".formatted(key, value, pattern));
        }
        return value;
    }

    /** @throws VariantException the value is the text of none of these */
    static <E> E oneOf(String key, String value, E[] constants, Function<E, String> text) {
        return Stream.of(constants)
                .filter(constant -> text.apply(constant).equals(value))
                .findFirst()
                .orElseThrow(() -> new VariantException("%s is '%s', but must be one of %s."
                        .formatted(key, value, Stream.of(constants).map(text).collect(Collectors.joining(", ")))));
    }

    /** @throws VariantException the value is no whole number from 1 to the largest */
    int number(String key, int largest) {
        String value = text(key);
        int number = value.matches("[1-9][0-9]{0,8}") ? Integer.parseInt(value) : 0;
        if (number < 1 || number > largest) {
            throw new VariantException("%s is '%s', but must be 1 to %d.".formatted(key, value, largest));
        }
        return number;
    }

    /** The ports whose keys begin with the prefix, by role. */
    Map<String, Integer> ports(String prefix) {
        Map<String, Integer> ports = new TreeMap<>();
        below(prefix).keySet().forEach(role -> ports.put(role, number(prefix + role, 65_535)));
        return ports;
    }
}

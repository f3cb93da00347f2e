package dev.chatterbox.rows;

import com.fasterxml.jackson.annotation.JsonSetter;
import com.fasterxml.jackson.annotation.Nulls;
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
import tools.jackson.core.JacksonException.Reference;
import tools.jackson.databind.DatabindException;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.exc.UnrecognizedPropertyException;
import tools.jackson.databind.json.JsonMapper;

/**
 * The keys and values of a properties file, which Jackson binds to a record. What is wrong is a {@link RowException} that
 * names the file and the key.
 */
record PropertiesFile(String file, Map<String, String> values) {

    /** Absent text is empty, an absent map too. */
    private static final JsonMapper MAPPER = JsonMapper.builder()
            .enable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
            .changeDefaultNullHandling(nulls -> JsonSetter.Value.forValueNulls(Nulls.AS_EMPTY))
            .build();

    static PropertiesFile read(Path path) {
        Properties properties = new Properties();
        try (Reader reader = Files.newBufferedReader(path)) {
            properties.load(reader);
        } catch (IOException | IllegalArgumentException e) {
            throw new RowException("%s cannot be read: %s".formatted(path, e.getMessage()));
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

    /** This file on top of another; a key that this one sets to nothing is left out. */
    PropertiesFile over(PropertiesFile base, Set<String> notTakenOver) {
        Map<String, String> all = new TreeMap<>(base.values);
        all.keySet().removeAll(notTakenOver);
        all.putAll(values);
        values.forEach((key, value) -> {
            if (value.isEmpty()) {
                all.remove(key);
            }
        });
        return new PropertiesFile(file, all);
    }

    /**
     * Binds the values to a record. Of the keys {@code client} and {@code client.speed} the first is a component of that
     * name, and the second is an entry of the component {@code client.}.
     *
     * @param check makes something of the record
     * @throws RowException a key is not known, or the check refuses a value
     */
    <K, T> T bind(Class<K> keys, Function<K, T> check) {
        Map<String, Object> tree = new TreeMap<>();
        values.forEach((key, value) -> put(tree, key, value));
        try {
            return check.apply(MAPPER.convertValue(tree, keys));
        } catch (UnrecognizedPropertyException e) {
            String known = e.getKnownPropertyIds().stream()
                    .map(String::valueOf)
                    .sorted()
                    .collect(Collectors.joining(", "));
            throw new RowException("%s: '%s' is not known; known are %s.".formatted(file, key(e), known));
        } catch (DatabindException e) {
            throw new RowException("%s: '%s' is not known.".formatted(file, key(e)));
        } catch (RowException e) {
            throw new RowException("%s: %s".formatted(file, e.getMessage()));
        }
    }

    private static String key(DatabindException e) {
        return e.getPath().stream().map(Reference::getPropertyName).collect(Collectors.joining());
    }

    @SuppressWarnings("unchecked")
    private static void put(Map<String, Object> tree, String key, String value) {
        int below = key.indexOf('.') + 1;
        if (below == 0) {
            tree.put(key, value);
        } else {
            Object further = tree.computeIfAbsent(key.substring(0, below), part -> new TreeMap<>());
            put((Map<String, Object>) further, key.substring(below), value);
        }
    }

    /** @throws RowException the value does not match; the message has no file yet */
    static String require(String key, String value, String pattern) {
        if (!value.matches(pattern)) {
            throw new RowException("%s is '%s', but must match %s.".formatted(key, value, pattern));
        }
        return value;
    }

    static Optional<String> unlessEmpty(String text) {
        return Optional.of(text).filter(known -> !known.isEmpty());
    }

    /** Ports by role. */
    static Map<String, Integer> ports(String prefix, Map<String, String> texts) {
        Map<String, Integer> ports = new TreeMap<>();
        texts.forEach(
                (role, port) -> ports.put(role, Integer.valueOf(require(prefix + role, port, "[1-9][0-9]{0,4}"))));
        return ports;
    }
}

package dev.chatterbox.variants;

import com.fasterxml.jackson.annotation.JsonProperty;
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
import java.util.stream.Stream;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.exc.UnrecognizedPropertyException;
import tools.jackson.databind.json.JsonMapper;

/**
 * The keys and values of a properties file, which Jackson binds to a record. Each error is a {@link VariantException}
 * that names the file and the key.
 */
record PropertiesFile(String file, Map<String, String> values) {

    /** Binds an absent key as an empty string. */
    private static final JsonMapper MAPPER = JsonMapper.builder()
            .enable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
            .changeDefaultNullHandling(nulls -> JsonSetter.Value.forValueNulls(Nulls.AS_EMPTY))
            .build();

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
        values.forEach((key, value) -> {
            if (value.isEmpty()) {
                all.remove(key);
            }
        });
        return new PropertiesFile(file, all);
    }

    /**
     * Binds the values to a record. The name of a component that is a map ends in a dot, and the map holds the keys
     * that begin with this name. Every other component is a string.
     *
     * @param check checks the record and makes the result from it
     * @throws VariantException a key is not known, or the check refuses a value
     */
    <K extends Record, T> T bind(Class<K> keys, Function<K, T> check) {
        Map<String, Map<String, String>> maps = Stream.of(keys.getRecordComponents())
                .filter(component -> component.getType() == Map.class)
                .map(component -> component.getAccessor().getAnnotation(JsonProperty.class))
                .collect(Collectors.toMap(JsonProperty::value, name -> new TreeMap<>()));
        Map<String, Object> tree = new TreeMap<>(maps);
        values.forEach((key, value) -> {
            int end = key.lastIndexOf('.') + 1;
            Map<String, String> map = maps.get(key.substring(0, end));
            if (map == null) {
                tree.put(key, value);
            } else {
                map.put(key.substring(end), value);
            }
        });
        try {
            return check.apply(MAPPER.convertValue(tree, keys));
        } catch (UnrecognizedPropertyException e) {
            String known = e.getKnownPropertyIds().stream()
                    .map(String::valueOf)
                    .sorted()
                    .collect(Collectors.joining(", "));
            throw new VariantException(
                    "%s: '%s' is not known; known are %s.".formatted(file, e.getPropertyName(), known));
        } catch (VariantException e) {
            throw new VariantException("%s: %s".formatted(file, e.getMessage()));
        }
    }

    /** @throws VariantException the value does not match; the message names no file yet */
    static String require(String key, String value, String pattern) {
        if (!value.matches(pattern)) {
            throw new VariantException("%s is '%s', but must match %s.".formatted(key, value, pattern));
        }
        return value;
    }

    /** @throws VariantException the value is the text of none of these; the message names no file yet */
    static <E> E oneOf(String key, String value, E[] known, Function<E, String> text) {
        return Stream.of(known)
                .filter(constant -> text.apply(constant).equals(value))
                .findFirst()
                .orElseThrow(() -> new VariantException("%s is '%s', but must be one of %s."
                        .formatted(key, value, Stream.of(known).map(text).collect(Collectors.joining(", ")))));
    }

    static Optional<String> unlessEmpty(String text) {
        return Optional.of(text).filter(known -> !known.isEmpty());
    }

    /** @throws VariantException the value is no whole number from 1 to the largest; the message names no file yet */
    static int number(String key, String value, int largest) {
        int number = value.matches("[1-9][0-9]{0,8}") ? Integer.parseInt(value) : 0;
        if (number < 1 || number > largest) {
            throw new VariantException("%s is '%s', but must be 1 to %d.".formatted(key, value, largest));
        }
        return number;
    }

    static Map<String, Integer> ports(String prefix, Map<String, String> texts) {
        Map<String, Integer> ports = new TreeMap<>();
        texts.forEach((role, port) -> ports.put(role, number(prefix + role, port, 65_535)));
        return ports;
    }
}

package dev.chatterbox.client;

import dev.chatterbox.variants.Variant;
import dev.chatterbox.variants.VariantException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.springframework.boot.context.properties.bind.BindException;
import org.springframework.boot.context.properties.bind.BindHandler;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.bind.PropertySourcesPlaceholdersResolver;
import org.springframework.boot.context.properties.bind.handler.NoUnboundElementsBindHandler;
import org.springframework.boot.context.properties.source.MapConfigurationPropertySource;
import org.springframework.core.NestedExceptionUtils;
import org.springframework.core.env.Environment;

/**
 * The settings that a variant gives to its client: the {@code client.*} keys of its file, after placeholders of the
 * aggregator's environment are replaced.
 */
public record ClientSettings(Variant variant, Environment environment) {

    /** What a message about a wrong address ends with: Java takes such a name for no host, and does not say so. */
    public static final String HOSTS = "; the name of a host has no underscore";

    private static final String PREFIX = "client";

    /**
     * Binds the settings to a record, as Spring Boot binds configuration properties. The record may check its values;
     * it throws {@link IllegalArgumentException} with a message that begins with the key.
     *
     * @throws VariantException a value is wrong, or the record has no such key; the message names the file and the key
     */
    public <T> T as(Class<T> type) {
        Map<String, String> values = new TreeMap<>();
        variant.client().settings().forEach((key, value) -> values.put(PREFIX + "." + key, value));
        Binder binder = new Binder(
                List.of(new MapConfigurationPropertySource(values)),
                new PropertySourcesPlaceholdersResolver(environment));
        try {
            return binder.bindOrCreate(
                    PREFIX, Bindable.of(type), new NoUnboundElementsBindHandler(BindHandler.DEFAULT));
        } catch (BindException e) {
            throw new VariantException("variants/%s.properties: %s".formatted(variant.name(), message(e)));
        }
    }

    /** @throws IllegalArgumentException the value is not 1 to {@code most} */
    public static void requireRange(String key, int value, int most) {
        if (value < 1 || value > most) {
            throw new IllegalArgumentException("%s must be 1 to %d, but it is %d".formatted(key, most, value));
        }
    }

    /** @throws IllegalArgumentException the value is less than so many milliseconds */
    public static void requireMillis(String key, Duration value, int least) {
        if (value.toMillis() < least) {
            throw new IllegalArgumentException("%s must be at least %dms, but it is %s".formatted(key, least, value));
        }
    }

    private static String message(BindException error) {
        String message =
                String.valueOf(NestedExceptionUtils.getMostSpecificCause(error).getMessage());
        return message.startsWith(PREFIX + ".") ? message : "%s: %s".formatted(error.getName(), message);
    }
}

package dev.chatterbox.client;

import dev.chatterbox.variants.Variant;
import dev.chatterbox.variants.Variants;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Map;
import java.util.Properties;
import java.util.TreeMap;
import org.springframework.core.io.Resource;
import org.springframework.core.io.support.PathMatchingResourcePatternResolver;
import org.springframework.core.io.support.PropertiesLoaderUtils;

/** The variants that the aggregator knows, and the same with other settings. */
public final class TestVariants {

    private TestVariants() {}

    public static Variants all() {
        return with("rest", Map.of());
    }

    public static Variant find(String name) {
        return all().find(name).orElseThrow();
    }

    /**
     * @param values replace those in the file of that name, or those that the variant takes from its transport's file
     */
    public static Variants with(String name, Map<String, String> values) {
        Map<String, Properties> files = new TreeMap<>();
        try {
            for (Resource file :
                    new PathMatchingResourcePatternResolver().getResources("classpath*:variants/*.properties")) {
                files.put(String.valueOf(file.getFilename()), PropertiesLoaderUtils.loadProperties(file));
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        Properties own = files.get(name + ".properties");
        Properties shared = files.get(own.getProperty("transport", name) + ".properties");
        values.forEach((key, value) -> {
            Properties file = own.containsKey(key) ? own : shared;
            if (key.equals("responder.name") && file.containsKey(key)) {
                // Variants that share the responder have its name in their own files.
                Object before = file.get(key);
                files.values().stream()
                        .filter(other -> before.equals(other.get(key)))
                        .forEach(other -> other.put(key, value));
            }
            file.put(key, value);
        });
        return Variants.of(files);
    }
}

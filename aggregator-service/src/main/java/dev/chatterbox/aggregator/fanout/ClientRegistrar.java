package dev.chatterbox.aggregator.fanout;

import dev.chatterbox.client.CallLimits;
import dev.chatterbox.client.ClientSettings;
import dev.chatterbox.client.SquareClient;
import dev.chatterbox.variants.Variant;
import dev.chatterbox.variants.VariantException;
import dev.chatterbox.variants.Variants;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.TreeMap;
import org.springframework.beans.factory.support.BeanDefinitionRegistry;
import org.springframework.beans.factory.support.RootBeanDefinition;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.context.annotation.ImportBeanDefinitionRegistrar;
import org.springframework.core.env.ConfigurableEnvironment;
import org.springframework.core.env.Environment;
import org.springframework.core.env.MapPropertySource;
import org.springframework.core.io.Resource;
import org.springframework.core.io.support.PathMatchingResourcePatternResolver;
import org.springframework.core.io.support.PropertiesLoaderUtils;
import org.springframework.core.type.AnnotationMetadata;

/**
 * Makes one bean for each variant that {@code chatterbox.transports} chooses. The bean has the variant's name, and the
 * class that the variant names. This class gives three constructor arguments: the {@link Variant}, its {@link
 * CallLimits}, and a record of the client's own package, which holds the variant's {@code client.*}. All other
 * arguments are beans. Further variants come from the folder {@code chatterbox.variants}, if it is set.
 */
record ClientRegistrar(Environment environment, ClassLoader classLoader) implements ImportBeanDefinitionRegistrar {

    private static final String VARIANTS = "classpath*:variants/*.properties";
    private static final String MEMORY = "memory";
    private static final String CLIENTS = "dev.chatterbox";

    @Override
    public void registerBeanDefinitions(AnnotationMetadata importer, BeanDefinitionRegistry registry) {
        Variants variants = variants();
        registry.registerBeanDefinition("variants", new RootBeanDefinition(Variants.class, () -> variants));
        Binder binder = Binder.get(environment);
        List<String> names = binder.bind("chatterbox.transports", Bindable.listOf(String.class))
                .orElse(List.of());
        FanOutProperties properties = binder.bindOrCreate("chatterbox", FanOutProperties.class);
        for (Variant variant : chosenAndHidden(variants, names)) {
            Class<? extends SquareClient> type = clientClass(variant);
            RootBeanDefinition client = new RootBeanDefinition(type);
            ClientSettings settings = new ClientSettings(variant, environment);
            List<Object> own = List.of(variant, properties.of(variant).callLimits(variant));
            for (Class<?> parameter : type.getDeclaredConstructors()[0].getParameterTypes()) {
                if (parameter.isRecord() && parameter.getPackage() == type.getPackage()) {
                    client.getConstructorArgumentValues().addGenericArgumentValue(settings.as(parameter));
                } else {
                    own.stream()
                            .filter(parameter::isInstance)
                            .forEach(client.getConstructorArgumentValues()::addGenericArgumentValue);
                }
            }
            registry.registerBeanDefinition(variant.name(), client);
        }
    }

    /** Every aggregator has the variant {@code memory}, because a comparison needs it as its zero. */
    private List<Variant> chosenAndHidden(Variants variants, List<String> names) {
        List<Variant> all = new ArrayList<>(variants.choose(names));
        variants.find(MEMORY).filter(variant -> !all.contains(variant)).ifPresent(variant -> {
            all.add(variant);
            ((ConfigurableEnvironment) environment)
                    .getPropertySources()
                    .addLast(new MapPropertySource("hidden variants", Map.of(Transports.HIDDEN + MEMORY, true)));
        });
        return all;
    }

    private Variants variants() {
        Map<String, Properties> files = new TreeMap<>();
        try {
            for (Resource file : new PathMatchingResourcePatternResolver(classLoader).getResources(VARIANTS)) {
                files.put(String.valueOf(file.getFilename()), PropertiesLoaderUtils.loadProperties(file));
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        String folder = environment.getProperty("chatterbox.variants", "");
        return folder.isEmpty() ? Variants.of(files) : Variants.of(files, Path.of(folder));
    }

    private Class<? extends SquareClient> clientClass(Variant variant) {
        try {
            return Class.forName(CLIENTS + "." + variant.client().type(), false, classLoader)
                    .asSubclass(SquareClient.class);
        } catch (ClassNotFoundException | ClassCastException e) {
            throw new VariantException(
                    "variants/%s.properties: client=%s is no class below %s that implements SquareClient."
                            .formatted(variant.name(), variant.client().type(), CLIENTS));
        }
    }
}

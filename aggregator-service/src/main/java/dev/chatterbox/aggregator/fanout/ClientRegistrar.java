package dev.chatterbox.aggregator.fanout;

import dev.chatterbox.client.CallLimits;
import dev.chatterbox.client.ClientSettings;
import dev.chatterbox.client.SquareClient;
import dev.chatterbox.rows.Row;
import dev.chatterbox.rows.RowException;
import dev.chatterbox.rows.Rows;
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
 * Makes one bean for each row that {@code chatterbox.transports} chooses. The bean has the row's name, and the class
 * that the row names. This class gives three constructor arguments: the {@link Row}, its {@link CallLimits}, and a
 * record of the client's own package, which holds the row's {@code client.*}. All other arguments are beans. Further
 * rows come from the folder {@code chatterbox.rows}, if it is set.
 */
final class ClientRegistrar implements ImportBeanDefinitionRegistrar {

    private static final String ROWS = "classpath*:rows/*.properties";
    private static final String MEMORY = "memory";
    private static final String CLIENTS = "dev.chatterbox.";

    private final Environment environment;
    private final ClassLoader classLoader;

    ClientRegistrar(Environment environment, ClassLoader classLoader) {
        this.environment = environment;
        this.classLoader = classLoader;
    }

    @Override
    public void registerBeanDefinitions(AnnotationMetadata importer, BeanDefinitionRegistry registry) {
        Rows rows = rows();
        registry.registerBeanDefinition("rows", new RootBeanDefinition(Rows.class, () -> rows));
        Binder binder = Binder.get(environment);
        List<String> names = binder.bind("chatterbox.transports", Bindable.listOf(String.class))
                .orElse(List.of());
        FanOutProperties properties = binder.bindOrCreate("chatterbox", FanOutProperties.class);
        for (Row row : chosenAndHidden(rows, names)) {
            Class<? extends SquareClient> type = clientClass(row);
            RootBeanDefinition client = new RootBeanDefinition(type);
            ClientSettings settings = new ClientSettings(row, environment);
            List<Object> own = List.of(row, properties.of(row).callLimits(row));
            for (Class<?> parameter : type.getDeclaredConstructors()[0].getParameterTypes()) {
                if (parameter.isRecord() && parameter.getPackage() == type.getPackage()) {
                    client.getConstructorArgumentValues().addGenericArgumentValue(settings.as(parameter));
                } else {
                    own.stream()
                            .filter(parameter::isInstance)
                            .forEach(client.getConstructorArgumentValues()::addGenericArgumentValue);
                }
            }
            registry.registerBeanDefinition(row.name(), client);
        }
    }

    /** Every aggregator has the row {@code memory}, because a comparison needs it as its zero. */
    private List<Row> chosenAndHidden(Rows rows, List<String> names) {
        List<Row> all = new ArrayList<>(rows.choose(names));
        rows.find(MEMORY).filter(row -> !all.contains(row)).ifPresent(row -> {
            all.add(row);
            ((ConfigurableEnvironment) environment)
                    .getPropertySources()
                    .addLast(new MapPropertySource("hidden rows", Map.of(Transports.HIDDEN + MEMORY, true)));
        });
        return all;
    }

    private Rows rows() {
        Map<String, Properties> files = new TreeMap<>();
        try {
            for (Resource file : new PathMatchingResourcePatternResolver(classLoader).getResources(ROWS)) {
                files.put(String.valueOf(file.getFilename()), PropertiesLoaderUtils.loadProperties(file));
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        String folder = environment.getProperty("chatterbox.rows", "");
        return folder.isEmpty() ? Rows.of(files) : Rows.of(files, Path.of(folder));
    }

    private Class<? extends SquareClient> clientClass(Row row) {
        try {
            return Class.forName(CLIENTS + row.client(), false, classLoader).asSubclass(SquareClient.class);
        } catch (ClassNotFoundException | ClassCastException e) {
            throw new RowException("rows/%s.properties: client=%s is no class below %s that implements SquareClient."
                    .formatted(row.name(), row.client(), CLIENTS.substring(0, CLIENTS.length() - 1)));
        }
    }
}

package dev.chatterbox.client;

import dev.chatterbox.variants.Variant;
import java.lang.reflect.Constructor;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.springframework.mock.env.MockEnvironment;

/** Makes the client that a variant names, as the aggregator does, without the aggregator. */
final class TestClients {

    private TestClients() {}

    /** @param beans further arguments that its constructor may ask for, besides the variant and its settings */
    static SquareClient make(Variant variant, Object... beans) {
        try {
            Class<?> type = Class.forName("dev.chatterbox." + variant.client().type());
            ClientSettings settings = new ClientSettings(variant, new MockEnvironment());
            List<Object> all = Stream.concat(Stream.of(variant, settings), Arrays.stream(beans))
                    .toList();
            Constructor<?> constructor = type.getDeclaredConstructors()[0];
            constructor.setAccessible(true);
            return (SquareClient) constructor.newInstance(Arrays.stream(constructor.getParameterTypes())
                    .map(parameter -> parameter.isRecord() && parameter.getPackage() == type.getPackage()
                            ? settings.as(parameter)
                            : all.stream()
                                    .filter(parameter::isInstance)
                                    .findFirst()
                                    .orElseThrow(() -> new AssertionError("no " + parameter + " for " + type)))
                    .toArray());
        } catch (ReflectiveOperationException e) {
            throw new AssertionError(e);
        }
    }
}

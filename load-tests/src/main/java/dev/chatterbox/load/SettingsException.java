package dev.chatterbox.load;

import org.jspecify.annotations.Nullable;

/**
 * A plan or a property that cannot be used. Gatling prints it: the message says everything, so there is no stack
 * trace.
 */
final class SettingsException extends RuntimeException {

    SettingsException(String message) {
        super(message, null, false, false);
    }

    static void require(boolean condition, String message, @Nullable Object... arguments) {
        if (!condition) {
            throw new SettingsException(message.formatted(arguments));
        }
    }
}

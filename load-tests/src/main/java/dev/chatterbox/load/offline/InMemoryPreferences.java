package dev.chatterbox.load.offline;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.prefs.AbstractPreferences;
import org.jspecify.annotations.Nullable;

/** Preferences in memory, which end with the process. */
final class InMemoryPreferences extends AbstractPreferences {

    private final Map<String, String> values = new ConcurrentHashMap<>();

    /** Makes a root. */
    @SuppressWarnings("NullAway") // the JDK: a root has no parent
    InMemoryPreferences() {
        super(null, "");
    }

    private InMemoryPreferences(InMemoryPreferences parent, String name) {
        super(parent, name);
    }

    @Override
    protected void putSpi(String key, String value) {
        values.put(key, value);
    }

    @Override
    protected @Nullable String getSpi(String key) {
        return values.get(key);
    }

    @Override
    protected void removeSpi(String key) {
        values.remove(key);
    }

    @Override
    protected void removeNodeSpi() {
        values.clear();
    }

    @Override
    protected String[] keysSpi() {
        return values.keySet().toArray(String[]::new);
    }

    @Override
    protected String[] childrenNamesSpi() {
        return new String[0]; // the superclass remembers the children that were made
    }

    @Override
    protected AbstractPreferences childSpi(String name) {
        return new InMemoryPreferences(this, name);
    }

    @Override
    protected void syncSpi() {}

    @Override
    protected void flushSpi() {}
}

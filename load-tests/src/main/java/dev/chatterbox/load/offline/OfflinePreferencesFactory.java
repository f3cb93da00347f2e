package dev.chatterbox.load.offline;

import java.util.prefs.Preferences;
import java.util.prefs.PreferencesFactory;

/**
 * The generator's {@link Preferences}, which the JDK finds as a service. They are in memory, and keep Gatling from
 * looking for its newest version.
 *
 * <p>Gatling asks repo1.maven.org at its start, before it reads a setting or loads a simulation, and no setting turns
 * that off ({@code GatlingVersion.LatestRelease} in gatling-commons). It first looks into the preferences, where it
 * keeps the time of its last attempt: here that time is far in the future, so the attempt is never due.
 */
public final class OfflinePreferencesFactory implements PreferencesFactory {

    private final Preferences user = new InMemoryPreferences();
    private final Preferences system = new InMemoryPreferences();

    public OfflinePreferencesFactory() {
        user.node("/io/gatling/latestVersion").putLong("lastCheckTimestamp", Long.MAX_VALUE);
    }

    @Override
    public Preferences userRoot() {
        return user;
    }

    @Override
    public Preferences systemRoot() {
        return system;
    }
}

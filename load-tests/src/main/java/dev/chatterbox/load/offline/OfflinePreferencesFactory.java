package dev.chatterbox.load.offline;

import java.util.prefs.Preferences;
import java.util.prefs.PreferencesFactory;

/**
 * The generator's {@link Preferences}, found as a service by the JDK: in memory, and such that Gatling never looks
 * for its newest version.
 *
 * <p>Gatling asks repo1.maven.org at its start, before it reads a setting or loads a simulation, and no setting turns
 * that off ({@code GatlingVersion.LatestRelease} in gatling-commons). It first looks into the preferences, where it
 * keeps the time of its last attempt: here that time lies far ahead, so the attempt is never due.
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

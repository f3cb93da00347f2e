package dev.chatterbox.load.offline;

import static org.assertj.core.api.Assertions.assertThat;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigFactory;
import io.gatling.commons.util.GatlingVersion;
import java.util.prefs.BackingStoreException;
import java.util.prefs.Preferences;
import org.junit.jupiter.api.Test;

/** Tests what keeps Gatling on this machine. {@code StandaloneSimulationsIT} tests that it stays there. */
class OfflineTests {

    @Test
    void theJdkFindsThesePreferences() {
        assertThat(Preferences.userRoot()).isInstanceOf(InMemoryPreferences.class);
        assertThat(Preferences.systemRoot()).isInstanceOf(InMemoryPreferences.class);
    }

    @Test
    void gatlingKnowsNoNewerVersionAndDoesNotAsk() {
        assertThat(GatlingVersion.LatestRelease().isEmpty()).isTrue();
    }

    @Test
    void theyWorkAsPreferencesDo() throws BackingStoreException {
        Preferences node = Preferences.userRoot().node("a/b");
        node.put("key", "value");

        assertThat(Preferences.userRoot().node("a").childrenNames()).containsExactly("b");
        assertThat(node.keys()).containsExactly("key");
        assertThat(node.get("key", "")).isEqualTo("value");
        node.remove("key");
        assertThat(node.get("key", "none")).isEqualTo("none");
        node.removeNode();
        assertThat(Preferences.userRoot().node("a").nodeExists("b")).isFalse();
    }

    @Test
    void gatlingsOwnCallsHomeAreOff() {
        Config gatling = ConfigFactory.parseResources("gatling.conf").getConfig("gatling");

        assertThat(gatling.getBoolean("data.enableAnalytics")).isFalse();
        assertThat(gatling.getString("http.warmUpUrl")).isEmpty();
    }
}

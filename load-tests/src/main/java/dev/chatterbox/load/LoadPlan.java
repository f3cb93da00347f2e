package dev.chatterbox.load;

import static dev.chatterbox.load.SettingsException.require;

import com.fasterxml.jackson.annotation.JsonInclude;
import dev.chatterbox.workloads.WorkloadException;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What a simulation does: steps, one after the other.
 *
 * @param answers the path of a file, see {@link ComparisonSimulation}; nothing is waited for if absent
 * @param requestTimeoutSeconds how long a request may take before it counts as failed ({@code timeout}); 30 if absent
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
record LoadPlan(
        String baseUrl,
        @Nullable String answers,
        WarmUpRule warmUp,
        double measureSeconds,
        @Nullable Double requestTimeoutSeconds,
        List<Step> steps) {

    private static final double DEFAULT_REQUEST_TIMEOUT_SECONDS = 30;

    LoadPlan {
        require(
                isHttpAddress(baseUrl),
                "baseUrl must be an address such as http://127.0.0.1:8080, without a path; it is '%s'",
                baseUrl);
        require(warmUp != null, "warmUp is missing");
        require(isMeasurable(measureSeconds), "measureSeconds must be from 0.1 to 86400; it is %s", measureSeconds);
        require(
                requestTimeoutSeconds == null || requestTimeoutSeconds >= 0.1 && requestTimeoutSeconds <= 600,
                "requestTimeoutSeconds must be from 0.1 to 600; it is %s",
                requestTimeoutSeconds);
        require(steps != null && !steps.isEmpty(), "steps: there must be at least one");
        Set<String> ids = new HashSet<>();
        steps.forEach(step -> require(ids.add(step.id()), "steps: the id %s appears twice", step.id()));
    }

    static LoadPlan read(Path file) {
        require(Files.isReadable(file), "the plan %s cannot be read", file);
        try {
            return LoadJson.MAPPER.readValue(file.toFile(), LoadPlan.class);
        } catch (IOException | WorkloadException e) {
            throw new SettingsException("the plan %s cannot be understood: %s"
                    .formatted(file, LoadJson.rootCause(e).getMessage()));
        }
    }

    private static boolean isHttpAddress(@Nullable String url) {
        if (url == null || !url.matches("https?://[^/?#@\\s]+")) {
            return false;
        }
        try {
            return URI.create(url).getHost() != null;
        } catch (IllegalArgumentException e) {
            return false;
        }
    }

    double timeoutSeconds() {
        return requestTimeoutSeconds == null ? DEFAULT_REQUEST_TIMEOUT_SECONDS : requestTimeoutSeconds;
    }

    static boolean isMeasurable(double seconds) {
        return seconds >= 0.1 && seconds <= 86_400;
    }

    double measureSeconds(Step step) {
        return step.measureSeconds() == null ? measureSeconds : step.measureSeconds();
    }

    WarmUpRule warmUp(Step step) {
        return step.warmUp() == null ? warmUp : step.warmUp();
    }
}

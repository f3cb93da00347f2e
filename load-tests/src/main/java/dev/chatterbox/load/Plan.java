package dev.chatterbox.load;

import static dev.chatterbox.load.SettingsException.require;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What a simulation does: cells, one after the other.
 *
 * @param answers the path of a file, see {@link ComparisonSimulation}; nothing is waited for if absent
 * @param requestTimeoutSeconds how long a request may take before it counts as failed ({@code timeout}); 30 if absent
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
record Plan(
        String baseUrl,
        @Nullable String answers,
        WarmUp warmUp,
        double measureSeconds,
        @Nullable Double requestTimeoutSeconds,
        List<Cell> cells) {

    private static final double DEFAULT_REQUEST_TIMEOUT_SECONDS = 30;

    Plan {
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
        require(cells != null && !cells.isEmpty(), "cells: there must be at least one");
        Set<String> ids = new HashSet<>();
        cells.forEach(cell -> require(ids.add(cell.id()), "cells: the id %s appears twice", cell.id()));
    }

    static Plan read(Path file) {
        require(Files.isReadable(file), "the plan %s cannot be read", file);
        try {
            return Json.MAPPER.readValue(file.toFile(), Plan.class);
        } catch (IOException e) {
            throw new SettingsException("the plan %s cannot be understood: %s"
                    .formatted(file, Json.rootCause(e).getMessage()));
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

    double measureSeconds(Cell cell) {
        return cell.measureSeconds() == null ? measureSeconds : cell.measureSeconds();
    }

    WarmUp warmUp(Cell cell) {
        return cell.warmUp() == null ? warmUp : cell.warmUp();
    }
}

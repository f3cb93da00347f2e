package dev.chatterbox.load;

import static dev.chatterbox.load.SettingsException.require;

import com.fasterxml.jackson.annotation.JsonInclude;
import org.jspecify.annotations.Nullable;

/**
 * One measurement: a transport, calls per request, and a load.
 *
 * @param id unique in its plan; Gatling's report names rows after it
 * @param users the closed model: so many users, each with one request at a time; or else
 * @param rate the open model: requests that are started a second, whatever becomes of the ones before
 * @param warmUp in place of the plan's; likewise
 * @param measureSeconds the length of the measured window
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
record Cell(
        String id,
        @Nullable Integer round,
        String transport,
        int calls,
        @Nullable Integer users,
        @Nullable Double rate,
        @Nullable WarmUp warmUp,
        @Nullable Double measureSeconds) {

    static final int MAX_CALLS = 1_000_000;
    static final int MAX_USERS = 10_000;
    static final double MAX_RATE = 100_000;

    Cell {
        require(
                transport != null && transport.matches("[a-z0-9][a-z0-9_-]*"),
                "cell %s: transport must be a name of small letters, digits and '-'; it is '%s'",
                id,
                transport);
        require(id != null && !id.isBlank(), "cells: each needs an id");
        require(
                calls >= 1 && calls <= MAX_CALLS,
                "cell %s: calls must be a whole number from 1 to %d; it is %d",
                id,
                MAX_CALLS,
                calls);
        require(
                (users == null) != (rate == null),
                "cell %s: needs either users (closed model) or rate (open model, requests a second)",
                id);
        require(
                users == null || users >= 1 && users <= MAX_USERS,
                "cell %s: users must be a whole number from 1 to %d; it is %s",
                id,
                MAX_USERS,
                users);
        require(
                rate == null || rate > 0 && rate <= MAX_RATE,
                "cell %s: rate must be above 0 and at most %.0f requests a second; it is %s",
                id,
                MAX_RATE,
                rate);
        require(
                measureSeconds == null || Plan.isMeasurable(measureSeconds),
                "cell %s: measureSeconds must be from 0.1 to 86400; it is %s",
                id,
                measureSeconds);
    }

    String path() {
        return "/" + transport + "/square/unary/" + calls;
    }

    /** For people. */
    String load() {
        return rate != null ? "%s requests/s".formatted(rate) : "%d users".formatted(users);
    }
}

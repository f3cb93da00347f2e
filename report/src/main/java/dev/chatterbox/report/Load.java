package dev.chatterbox.report;

import java.util.Comparator;
import tools.jackson.databind.JsonNode;

/**
 * What a cell is measured under, whatever the transport: two cells are comparable if their loads are equal.
 *
 * @param model {@code closed} (a number of users, each of whom waits for an answer) or {@code open} (a rate of arrivals)
 * @param calls backend calls per request
 * @param users concurrent users; 0 in the open model
 * @param share of the transport's own capacity, 0 to 1; 0 if the rate was given instead
 * @param rate requests per second; 0 in the closed model and where a share says more
 */
record Load(String model, int calls, int users, double share, double rate) implements Comparable<Load> {

    private static final Comparator<Load> ORDER = Comparator.comparing(Load::model)
            .thenComparing(Load::calls)
            .thenComparing(Load::users)
            .thenComparing(Load::share)
            .thenComparing(Load::rate);

    static Load of(JsonNode cell) {
        String model = Json.text(cell, "/model").isEmpty() ? "closed" : Json.text(cell, "/model");
        boolean open = model.equals("open");
        double share = open ? orZero(Json.number(cell, "/load")) : 0;
        return new Load(
                model,
                (int) orZero(Json.number(cell, "/calls")),
                open ? 0 : (int) orZero(Json.number(cell, "/users")),
                share,
                open && share == 0 ? orZero(Json.number(cell, "/rate")) : 0);
    }

    private static double orZero(double value) {
        return Double.isNaN(value) ? 0 : value;
    }

    boolean closed() {
        return !model.equals("open");
    }

    /** "1,000 calls a request" */
    String callsText() {
        return Format.counted(calls, "call") + " a request";
    }

    /** "100 users", "70 % of capacity" or "63 requests/s" */
    String pressure() {
        if (closed()) {
            return Format.counted(users, "user");
        }
        return share > 0 ? Format.percent(share) + " of capacity" : Format.rate(rate) + " requests/s";
    }

    /** "1,000 calls a request and 100 users" */
    String text() {
        return callsText() + " and " + pressure();
    }

    /** "1,000 calls, 100 users" */
    String brief() {
        return Format.counted(calls, "call") + ", " + pressure();
    }

    @Override
    public int compareTo(Load other) {
        return ORDER.compare(this, other);
    }
}

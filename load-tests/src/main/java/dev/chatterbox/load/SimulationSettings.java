package dev.chatterbox.load;

import static dev.chatterbox.load.SettingsException.require;

import dev.chatterbox.workloads.Load;
import dev.chatterbox.workloads.Slice;
import dev.chatterbox.workloads.Workload;
import dev.chatterbox.workloads.WorkloadException;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The standalone simulations' settings, from system properties:
 *
 * <table> <caption>properties</caption> <tr><th>{@code baseUrl}<td>the aggregator; http://127.0.0.1:8080
 * <tr><th>{@code transport}<td>one or several, comma-separated, measured in turn; by default all that are up
 * <tr><th>{@code calls}<td>backend calls a request, 1 to 1000000; 1000 <tr><th>{@code users}<td>closed model: users,
 * 1 to 16384; 100 <tr><th>{@code rate}<td>open model: requests a second, up to 100000; must be given
 * <tr><th>{@code workload}<td>in place of the three above, in the text form of {@link Workload}:
 * {@code unary calls=1000 users=100} <tr><th>{@code duration}<td>of the measured window, such as 500ms, 30s or 2m;
 * 30s <tr><th>{@code warmUp}<td>before it, not measured; 10s <tr><th>{@code requestTimeout}<td>when a request has
 * failed; 30s </table>
 */
final class SimulationSettings {

    private static final int MAX_CALLS = 1_000_000;
    private static final Pattern DURATION = Pattern.compile("(\\d{1,7}(?:\\.\\d{1,3})?)(ms|s|m)");

    private final Function<String, @Nullable String> properties;
    private final Function<String, List<String>> transportsUp;

    /** @param transportsUp the names of the transports that are up, by base URL */
    SimulationSettings(Function<String, @Nullable String> properties, Function<String, List<String>> transportsUp) {
        this.properties = properties;
        this.transportsUp = transportsUp;
    }

    static SimulationSettings ofSystem() {
        return new SimulationSettings(System::getProperty, KnownTransports::up);
    }

    LoadPlan closed() {
        Workload workload = workload(() -> Workload.unary(
                number("calls", "1000", 1, MAX_CALLS), new Load.Users(number("users", "100", 1, Slice.MAX_USERS))));
        require(
                workload.load() instanceof Load.Users,
                "workload must name users, for this is the closed model; it is '%s'",
                workload);
        return plan("closed", workload);
    }

    LoadPlan open() {
        Workload workload =
                workload(() -> Workload.unary(number("calls", "1000", 1, MAX_CALLS), new Load.Rate(rate())));
        require(
                workload.load() instanceof Load.Rate,
                "workload must name a rate per second, for this is the open model; it is '%s'",
                workload);
        return plan("open", workload);
    }

    private Workload workload(Supplier<Workload> otherwise) {
        String text = property("workload", "");
        try {
            Workload workload = text.isEmpty() ? otherwise.get() : Workload.parse(text);
            require(
                    workload.calls() <= MAX_CALLS,
                    "calls must be a whole number from 1 to %d; it is '%d'",
                    MAX_CALLS,
                    workload.calls());
            require(
                    workload.distanceMillis() == 0,
                    "the generator can offer no distance; the workload is '%s'",
                    workload);
            return workload;
        } catch (WorkloadException e) {
            throw new SettingsException("workload must be such as 'unary calls=1000 users=100': " + e.getMessage());
        }
    }

    private LoadPlan plan(String model, Workload workload) {
        String baseUrl = property("baseUrl", "http://127.0.0.1:8080").replaceAll("/+$", "");
        double measure = seconds("duration", "30s", 0.1, 86_400);
        double warmUp = seconds("warmUp", "10s", 0, 3600);
        double requestTimeout = seconds("requestTimeout", "30s", 0.1, 600);
        try {
            return new LoadPlan(model, baseUrl, transports(baseUrl), workload, warmUp, measure, requestTimeout);
        } catch (WorkloadException e) {
            throw new SettingsException(e.getMessage());
        }
    }

    private List<String> transports(String baseUrl) {
        String value = property("transport", "");
        if (value.isEmpty()) {
            List<String> up = transportsUp.apply(baseUrl);
            require(!up.isEmpty(), "transport must be named: %s/transports has none that is up", baseUrl);
            return up;
        }
        List<String> names = Stream.of(value.split(",", -1)).map(String::strip).toList();
        require(Set.copyOf(names).size() == names.size(), "transport names one twice; it is '%s'", value);
        return names;
    }

    private double rate() {
        String value = property("rate", "");
        require(!value.isEmpty(), "rate must be given: requests a second, such as -Drate=50");
        try {
            double rate = Double.parseDouble(value);
            if (rate > 0 && rate <= Slice.MAX_RATE) {
                return rate;
            }
        } catch (NumberFormatException e) {
            // Said below.
        }
        throw new SettingsException("rate must be a number above 0 and at most %.0f, requests a second; it is '%s'"
                .formatted(Slice.MAX_RATE, value));
    }

    private int number(String name, String byDefault, int min, int max) {
        String value = property(name, byDefault);
        if (value.matches("\\d{1,9}")) {
            int number = Integer.parseInt(value);
            if (number >= min && number <= max) {
                return number;
            }
        }
        throw new SettingsException(
                "%s must be a whole number from %d to %d; it is '%s'".formatted(name, min, max, value));
    }

    private double seconds(String name, String byDefault, double min, double max) {
        String value = property(name, byDefault);
        Matcher duration = DURATION.matcher(value);
        if (duration.matches()) {
            double seconds = Double.parseDouble(duration.group(1))
                    * switch (duration.group(2)) {
                        case "ms" -> 0.001;
                        case "m" -> 60;
                        default -> 1;
                    };
            if (seconds >= min && seconds <= max) {
                return seconds;
            }
        }
        throw new SettingsException("%s must be a duration from %ss to %ss, such as 500ms, 30s or 2m; it is '%s'"
                .formatted(name, plain(min), plain(max), value));
    }

    private static String plain(double number) {
        return number == Math.rint(number) ? String.valueOf((long) number) : String.valueOf(number);
    }

    private String property(String name, String byDefault) {
        String value = properties.apply(name);
        return value == null || value.isBlank() ? byDefault : value.strip();
    }
}

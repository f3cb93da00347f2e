package dev.chatterbox.load;

import static dev.chatterbox.workloads.Workload.require;

import dev.chatterbox.workloads.Durations;
import dev.chatterbox.workloads.Workload;
import dev.chatterbox.workloads.WorkloadException;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The standalone simulations' settings, from system properties; defaults come last:
 *
 * <table> <caption>properties</caption> <tr><th>{@code baseUrl}<td>the aggregator, or several with commas
 * between them, which requests take in turn; http://127.0.0.1:8080 <tr><th>{@code transport}<td>one or several,
 * comma-separated, measured in turn; all that are up
 * <tr><th>{@code calls}<td>backend calls per request, 1 to 1000000; 1000 <tr><th>{@code users}<td>closed model: users,
 * 1 to 16384; 100 <tr><th>{@code rate}<td>open model: requests per second, up to 100000; must be given
 * <tr><th>{@code workload}<td>in place of the three above, in the text form of {@link Workload}:
 * {@code unary calls=1000 users=100} <tr><th>{@code duration}<td>the length of the measurement, such as 500ms, 30s or
 * 2m; 30s <tr><th>{@code warmUp}<td>the load before it, which is not measured; 10s
 * <tr><th>{@code requestTimeout}<td>the time after which a request has failed; 30s </table>
 *
 * @param properties the values, by name
 * @param transportsUp the names of the transports that are up, by base URL
 */
record SimulationSettings(Function<String, @Nullable String> properties, Function<String, List<String>> transportsUp) {

    static SimulationSettings ofSystem() {
        return new SimulationSettings(
                System::getProperty, baseUrl -> KnownTransports.up(baseUrl, LoadSimulation.authorization()));
    }

    LoadPlan closed() {
        return plan("closed", "users=" + property("users", "100"));
    }

    LoadPlan open() {
        String rate = property("rate", "");
        require(
                !rate.isEmpty() || !property("workload", "").isEmpty(),
                "rate must be given: requests per second, such as -Drate=50");
        return plan("open", "rate=" + rate);
    }

    private LoadPlan plan(String model, String load) {
        Workload workload =
                Workload.parse(property("workload", "unary calls=%s %s".formatted(property("calls", "1000"), load)));
        require(
                workload.isOpen() == model.equals("open"),
                "workload must name %s, for this is the %s model; it is '%s'",
                workload.isOpen() ? "users" : "a rate per second",
                model,
                workload);
        require(workload.distanceMillis() == 0, "the generator can offer no distance; the workload is '%s'", workload);
        String baseUrl = property("baseUrl", "http://127.0.0.1:8080").replaceAll("/+(?=,|$)", "");
        return new LoadPlan(
                model,
                baseUrl,
                transports(baseUrl),
                workload,
                seconds("warmUp", "10s", "0s", "1h"),
                seconds("duration", "30s", "100ms", "24h"),
                seconds("requestTimeout", workload.timeoutSeconds() + "s", "100ms", "10m"));
    }

    private List<String> transports(String baseUrl) {
        String value = property("transport", "");
        if (value.isEmpty()) {
            String first = baseUrl.split(",")[0];
            List<String> up = transportsUp.apply(first);
            require(!up.isEmpty(), "transport must be named: %s/transports has none that is up", first);
            return up;
        }
        List<String> names = Stream.of(value.split(",", -1)).map(String::strip).toList();
        require(Set.copyOf(names).size() == names.size(), "transport names one twice; it is '%s'", value);
        return names;
    }

    private double seconds(String name, String byDefault, String min, String max) {
        String value = property(name, byDefault);
        try {
            double seconds = Durations.seconds(value);
            boolean fits = seconds >= Durations.seconds(min) && seconds <= Durations.seconds(max);
            require(fits, "it must be from %s to %s, but it is '%s'", min, max, value);
            return seconds;
        } catch (WorkloadException e) {
            throw new WorkloadException(name + ": " + e.getMessage());
        }
    }

    private String property(String name, String byDefault) {
        String value = properties.apply(name);
        return value == null || value.isBlank() ? byDefault : value.strip();
    }
}

package dev.chatterbox.resilience;

import dev.chatterbox.comparison.Prometheus;
import dev.chatterbox.processes.LocalHttp;
import dev.chatterbox.stack.Member;
import dev.chatterbox.stack.Stack;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * What processes hold while nobody asks anything.
 *
 * @param processes by name
 * @param callsInFlight of the aggregator, over all rows
 */
record Vitals(Map<String, Held> processes, long callsInFlight) {

    /** Without jcmd, or without /proc. */
    private static final long UNKNOWN = -1;

    /**
     * @param liveBytes of the heap after a full collection; negative where it is not known
     * @param threads negative where it is not known
     * @param files open ones and connections; negative where it is not known
     */
    record Held(long liveBytes, long threads, long files) {

        double megabytes() {
            return liveBytes / 1048576.0;
        }
    }

    /**
     * Takes them, by a full collection in each process.
     *
     * @param aggregator of the stack
     * @param names of the processes: JVMs that run
     */
    static Vitals of(Stack stack, String aggregator, Stream<String> names) throws IOException {
        Map<String, Held> processes = new TreeMap<>();
        int port = 0;
        Map<String, Member> members = new TreeMap<>();
        stack.members().forEach(member -> members.put(member.name(), member));
        for (String name : (Iterable<String>) names::iterator) {
            Member member = members.get(name);
            if (member != null) {
                processes.put(name, held(member.pid()));
                port = name.equals(aggregator) ? member.port() : port;
            }
        }
        Prometheus figures =
                Prometheus.parse(LocalHttp.get(port, "/actuator/prometheus?includedNames=chatterbox_calls_in_flight")
                        .body());
        return new Vitals(processes, Math.round(figures.sum("chatterbox_calls_in_flight", sample -> true)));
    }

    private static Held held(long pid) throws IOException {
        return new Held(live(pid), threads(pid), files(pid));
    }

    /** The last line of a histogram of what is reachable: {@code Total  412345  23456789}. */
    private static long live(long pid) throws IOException {
        Path jcmd = Path.of(System.getProperty("java.home"), "bin", "jcmd");
        if (!Files.isExecutable(jcmd)) {
            return UNKNOWN;
        }
        Process process = new ProcessBuilder(jcmd.toString(), Long.toString(pid), "GC.class_histogram")
                .redirectErrorStream(true)
                .start();
        String last =
                new String(process.getInputStream().readAllBytes()).lines().reduce("", (before, line) -> line);
        String[] words = last.strip().split("\\s+");
        return words[0].equals("Total") ? Long.parseLong(words[2]) : UNKNOWN;
    }

    private static long threads(long pid) {
        return entries(Path.of("/proc", Long.toString(pid), "task"));
    }

    private static long files(long pid) {
        return entries(Path.of("/proc", Long.toString(pid), "fd"));
    }

    private static long entries(Path folder) {
        try (Stream<Path> entries = Files.list(folder)) {
            return entries.count();
        } catch (IOException noLinux) {
            return UNKNOWN;
        }
    }
}

package dev.chatterbox.resilience;

import dev.chatterbox.comparison.QueueWorkers.Progress;
import dev.chatterbox.processes.ProcessMemory;
import dev.chatterbox.stack.Member;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/** What a broker takes of memory and disk while messages pile up in it. */
final class BrokerWatch {

    private static final double SECONDS_BETWEEN = 0.5;

    private final List<Member> processes;
    private final Path folder;
    private final List<Sample> samples = new ArrayList<>();

    /**
     * @param seconds since the first message was published
     * @param published messages until then
     * @param received messages until then
     * @param memory of the broker's processes, in bytes
     * @param disk bytes of the broker's files
     */
    record Sample(double seconds, long published, long received, long memory, long disk) {}

    /**
     * Looks at once, before there are messages.
     *
     * @param folder with the folders of the processes
     */
    BrokerWatch(List<Member> processes, Path folder) {
        this.processes = processes;
        this.folder = folder;
        look(0, new Progress(0, 0));
    }

    /** Looks if it is time to. */
    void look(double seconds, Progress now) {
        if (seconds >= samples.size() * SECONDS_BETWEEN) {
            samples.add(new Sample(
                    seconds,
                    now.published(),
                    now.consumed(),
                    sum(process -> ProcessMemory.resident(process.pid()).orElse(0L)),
                    sum(process -> used(folder.resolve(process.name())))));
        }
    }

    private long sum(ToLongFunction<Member> bytes) {
        return processes.stream().mapToLong(bytes).sum();
    }

    /** What a folder takes on the disk, as du says it; 0 if it cannot say it. Files may go away meanwhile. */
    private static long used(Path folder) {
        try {
            Process du = new ProcessBuilder("du", "-sk", folder.toString())
                    .redirectError(ProcessBuilder.Redirect.DISCARD)
                    .start();
            String text = new String(du.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            return text.isBlank() ? 0 : Long.parseLong(text.strip().split("\\s")[0]) << 10;
        } catch (IOException e) {
            return 0;
        }
    }

    /** @param held seconds for which nobody consumed */
    Figures figures(double held) {
        return new Figures()
                .megabytes("memory before", samples.get(0).memory())
                .megabytes("most memory", most(Sample::memory))
                .megabytes("disk before", samples.get(0).disk())
                .megabytes("most disk", most(Sample::disk))
                .number("disk a waiting message", diskOfMessage(held), "%,.0f B", "")
                .add("samples", samples, "");
    }

    private long most(ToLongFunction<Sample> bytes) {
        return samples.stream().mapToLong(bytes).max().orElseThrow();
    }

    /**
     * From the growth between two samples while nobody consumed; null if there was none. The first quarter is left out,
     * because the first messages make files.
     */
    private @Nullable Double diskOfMessage(double held) {
        List<Sample> within = samples.stream()
                .filter(sample -> sample.seconds() > held / 4 && sample.seconds() < held)
                .toList();
        if (within.isEmpty()) {
            return null;
        }
        Sample first = within.get(0);
        Sample last = within.get(within.size() - 1);
        return last.disk() > first.disk() && last.published() > first.published()
                ? Double.valueOf((double) (last.disk() - first.disk()) / (last.published() - first.published()))
                : null;
    }
}

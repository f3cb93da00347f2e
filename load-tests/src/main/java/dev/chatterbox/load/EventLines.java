package dev.chatterbox.load;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** A line an event, for the program that started this one; and its answers, the lines of a file that it writes. */
final class EventLines implements PlanListener {

    static final String PREFIX = "@chatterbox ";

    private static final long POLL_MILLIS = 5;

    private final PrintStream out;
    private final @Nullable Path answers;

    /** @param answers null if nobody answers: then nothing is waited for */
    EventLines(PrintStream out, @Nullable Path answers) {
        this.out = out;
        this.answers = answers;
    }

    @Override
    public void ready() {
        print(event("ready"));
    }

    @Override
    public void warmUp(Step step) {
        print(event("warmup").put("id", step.id()));
    }

    @Override
    public void measure(Step step) {
        print(event("measure").put("id", step.id()));
    }

    @Override
    public void measured(Step step) {
        print(event("measured").put("id", step.id()));
    }

    @Override
    public void ended(Step step, StepResult result) {
        print(event("ended").setAll(LoadJson.MAPPER.<ObjectNode>valueToTree(result)));
    }

    @Override
    public void done() {
        print(event("done"));
    }

    @Override
    public boolean isWarm(Step step) {
        return answers != null && isAnswered(answers, "warm " + step.id());
    }

    @Override
    public void awaitNext(Step step) throws InterruptedException {
        while (answers != null && !isAnswered(answers, "next " + step.id())) {
            TimeUnit.MILLISECONDS.sleep(POLL_MILLIS);
        }
    }

    private static boolean isAnswered(Path answers, String line) {
        try {
            return Files.readString(answers).contains(line + "\n");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static ObjectNode event(String name) {
        return LoadJson.MAPPER.createObjectNode().put("event", name);
    }

    private void print(Object event) {
        // One write: Gatling's console writer prints from another thread. Its blocks may lack a last line end.
        out.print("\n" + PREFIX + LoadJson.line(event) + "\n");
        out.flush();
    }
}

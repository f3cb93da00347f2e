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
final class EventLines implements Progress {

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
    public void warmUp(Cell cell) {
        print(event("warmup").put("id", cell.id()));
    }

    @Override
    public void measure(Cell cell) {
        print(event("measure").put("id", cell.id()));
    }

    @Override
    public void measured(Cell cell) {
        print(event("measured").put("id", cell.id()));
    }

    @Override
    public void ended(Cell cell, CellResult result) {
        print(event("cell").setAll(Json.MAPPER.<ObjectNode>valueToTree(result)));
    }

    @Override
    public void done() {
        print(event("done"));
    }

    @Override
    public boolean isWarm(Cell cell) {
        return answers != null && isAnswered(answers, "warm " + cell.id());
    }

    @Override
    public void awaitNext(Cell cell) throws InterruptedException {
        while (answers != null && !isAnswered(answers, "next " + cell.id())) {
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
        return Json.MAPPER.createObjectNode().put("event", name);
    }

    private void print(Object event) {
        // One write: Gatling's console writer prints from another thread. Its blocks may lack a last line end.
        out.print("\n" + PREFIX + Json.line(event) + "\n");
        out.flush();
    }
}

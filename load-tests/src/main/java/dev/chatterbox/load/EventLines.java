package dev.chatterbox.load;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.PrintStream;

/** A line an event, for the program that started this one. */
final class EventLines implements Progress {

    static final String PREFIX = "@chatterbox ";

    private final PrintStream out;

    EventLines(PrintStream out) {
        this.out = out;
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

    private static ObjectNode event(String name) {
        return Json.MAPPER.createObjectNode().put("event", name);
    }

    private void print(Object event) {
        // One write: Gatling's console writer prints from another thread. Its blocks may lack a last line end.
        out.print("\n" + PREFIX + Json.line(event) + "\n");
        out.flush();
    }
}

package dev.chatterbox.cli.compare;

/**
 * A cell's place in the order of the run.
 *
 * @param round from 1
 * @param first whether it is the first of its transport, which gets the longer warm-up
 */
record Slot(int round, Cell cell, boolean first) {

    String id() {
        return "%d-%s-%d-%s"
                .formatted(
                        round,
                        cell.transport(),
                        cell.calls(),
                        cell.isOpen() ? "open-" + cell.rate() : String.valueOf(cell.users()));
    }
}

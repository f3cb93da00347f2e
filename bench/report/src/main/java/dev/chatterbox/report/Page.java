package dev.chatterbox.report;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A page: what there is to know on one screen, and the rest folded. page.jte renders it.
 *
 * @param meta which run it is, in one line
 * @param heading of the sentences
 * @param headline the sentences
 * @param charts below them
 * @param tables below these, not folded
 * @param doubts what speaks against believing the sentences
 */
record Page(
        Palette palette,
        String title,
        String question,
        String meta,
        String heading,
        List<String> headline,
        List<Charts.Panel> charts,
        List<Table> tables,
        List<String> doubts,
        List<Section> sections,
        @Nullable PredictionSection prediction,
        List<GatlingPage> gatling) {

    /**
     * A folded part.
     *
     * @param key what marks and shades of its charts mean
     * @param notes sentences below everything
     */
    record Section(String title, Key key, List<Charts.Panel> charts, List<Table> tables, List<String> notes) {

        static Section of(String title, List<Table> tables) {
            return new Section(title, Key.NONE, List.of(), tables, List.of());
        }

        boolean isEmpty() {
            return charts.isEmpty() && tables.stream().allMatch(Table::isEmpty) && notes.isEmpty();
        }
    }

    enum Key {
        NONE,
        PROCESSES,
        PERCENTILES
    }
}

package dev.chatterbox.report;

import java.util.List;
import java.util.Map;

/**
 * A part of a page with charts.
 *
 * @param unit what the numbers are, in small letters behind the title
 * @param key what marks and shades mean; may be empty
 * @param findings sentences below the charts
 * @param note how to read them; may be empty
 */
record ChartSection(
        String id,
        String title,
        String unit,
        List<KeyEntry> key,
        List<PanelGroup> groups,
        List<Sentence> findings,
        String note) {

    /** @param css the classes of its mark in the style sheet */
    record KeyEntry(String css, String text) {}

    /**
     * Panels beside each other.
     *
     * @param title above them; may be empty
     * @param remarks below them
     */
    record PanelGroup(String title, List<Panel> panels, List<Sentence> remarks) {

        /** The style sheet knows how to set so many. */
        int columns() {
            return Math.min(panels.size(), 5);
        }
    }

    /**
     * A chart with its words and its table.
     *
     * @param id unique on the page
     * @param label for those who do not see the chart
     * @param sentence may be empty
     * @param chart what charts.js draws
     */
    record Panel(String id, Sentence title, String label, Sentence sentence, Table table, Map<String, Object> chart) {}
}

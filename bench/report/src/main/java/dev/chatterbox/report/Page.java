package dev.chatterbox.report;

import java.util.List;
import java.util.regex.Pattern;
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

    /**
     * A page of Gatling's that a report links to.
     *
     * @param path relative to the folder of the results
     */
    record GatlingPage(String path, String title) {

        /**
         * What a link may be made of. A results.json may come from elsewhere and must not bring a script or another site
         * along: so the first part of the path holds no colon and is not empty, which a scheme, a host and an absolute path
         * would need, and nothing holds blanks, tabs and the like, which browsers leave out before they look for a scheme.
         */
        private static final Pattern RELATIVE = Pattern.compile("[\\w.~+@=,-]+(/[\\w.~+@=,:-]+)*");

        /** Those that lie in the folder. */
        static List<GatlingPage> of(List<String> paths) {
            return paths.stream()
                    .filter(path -> RELATIVE.matcher(path).matches()
                            && !List.of(path.split("/")).contains(".."))
                    .map(path -> new GatlingPage(
                            path, path.replaceFirst("^gatling/", "").replaceFirst("/index\\.html$", "")))
                    .toList();
        }
    }
}

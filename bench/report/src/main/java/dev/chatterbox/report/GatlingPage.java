package dev.chatterbox.report;

import java.util.List;
import java.util.regex.Pattern;

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
                .map(path ->
                        new GatlingPage(path, path.replaceFirst("^gatling/", "").replaceFirst("/index\\.html$", "")))
                .toList();
    }
}

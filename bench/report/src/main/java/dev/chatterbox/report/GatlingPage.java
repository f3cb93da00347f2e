package dev.chatterbox.report;

import java.util.List;
import java.util.regex.Pattern;

/**
 * A page of Gatling to which a report links.
 *
 * @param path relative to the folder of the results
 */
record GatlingPage(String path, String title) {

    /**
     * The form that a link must have. A results.json may come from elsewhere, and must not bring a script or another
     * site. So the first part of the path is not empty and has no colon, which excludes a scheme, a host and an
     * absolute path. No part has blanks, tabs and the like, which browsers remove before they look for a scheme.
     */
    private static final Pattern RELATIVE = Pattern.compile("[\\w.~+@=,-]+(/[\\w.~+@=,:-]+)*");

    /** The pages that are in the folder. */
    static List<GatlingPage> of(List<String> paths) {
        return paths.stream()
                .filter(path -> RELATIVE.matcher(path).matches()
                        && !List.of(path.split("/")).contains(".."))
                .map(path ->
                        new GatlingPage(path, path.replaceFirst("^gatling/", "").replaceFirst("/index\\.html$", "")))
                .toList();
    }
}

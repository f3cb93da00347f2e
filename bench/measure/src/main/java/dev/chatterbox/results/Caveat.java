package dev.chatterbox.results;

import java.util.Collection;
import java.util.List;
import java.util.stream.Stream;

/**
 * What a reader must know about a figure. It keeps a figure out of rankings, and follows it to every page.
 *
 * @param of the variant, or what else it is said of
 * @param text such as "nothing was warmed up"
 */
public record Caveat(String of, String text) {

    /** The text for a variant that does what somebody has published, and not what is best. */
    public static final String PUBLISHED_SETTINGS = "its settings are those of a published comparison, and not ours";

    @Override
    public String toString() {
        return of + ": " + text;
    }

    /** The caveats of a figure that is made of two. */
    static List<Caveat> both(Collection<Caveat> some, Collection<Caveat> others) {
        return Stream.concat(some.stream(), others.stream()).distinct().toList();
    }
}

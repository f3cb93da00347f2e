package dev.chatterbox.traces;

import org.jspecify.annotations.Nullable;

/**
 * When a responder worked on a call, by its own clock. The reply to a traced call says it, so that a waterfall needs no
 * collector.
 *
 * @param responder the name of its process
 * @param begun nanoseconds since 1970
 * @param ended the same, not before {@code begun}
 */
public record ResponderWork(String responder, long begun, long ended) {

    /** The header, or property, of a reply. */
    public static final String HEADER = "chatterbox_work";

    /** @return null if the text is not as {@link #toString} makes it */
    public static @Nullable ResponderWork parse(@Nullable String text) {
        String[] parts = text == null ? new String[0] : text.split(" ", 3);
        try {
            if (parts.length < 3) {
                return null;
            }
            ResponderWork work = new ResponderWork(parts[2], Long.parseLong(parts[0]), Long.parseLong(parts[1]));
            return work.ended < work.begun ? null : work;
        } catch (NumberFormatException e) {
            return null;
        }
    }

    @Override
    public String toString() {
        return "%d %d %s".formatted(begun, ended, responder);
    }
}

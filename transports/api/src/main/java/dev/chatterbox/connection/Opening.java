package dev.chatterbox.connection;

import java.util.concurrent.Callable;

/** Opens in several steps what is of use only as a whole. */
public final class Opening {

    private Opening() {}

    /** Takes the further steps; closes what the first step has opened if they fail. */
    public static <C> C orClose(AutoCloseable first, Callable<C> further) throws Exception {
        try {
            return further.call();
        } catch (Throwable e) {
            try (first) {
                throw e;
            }
        }
    }
}

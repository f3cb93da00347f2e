package dev.chatterbox.cli;

import java.util.Map;

/** Whether to make archives for faster starts. */
final class Archiving {

    /** Set to 0 where a stack is started once: making the archives takes longer than one start with them saves. */
    static final String VARIABLE = "CHATTERBOX_ARCHIVES";

    private Archiving() {}

    static boolean isWanted(Map<String, String> environment) {
        return !"0".equals(environment.get(VARIABLE));
    }
}

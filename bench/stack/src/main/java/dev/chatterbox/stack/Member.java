package dev.chatterbox.stack;

import dev.chatterbox.processes.ChildProcess;
import dev.chatterbox.processes.Io;
import dev.chatterbox.processes.LocalHttp;
import dev.chatterbox.processes.Ports;
import java.io.IOException;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * A process of a stack. The file of the stack's processes has a line for each, with fields separated by tabs.
 *
 * @param start when the process started, as {@link ChildProcess#start()} says it; start and pid identify the process
 * @param port where the process answers
 * @param health the path on that port that says whether it is well; empty for a broker, which only accepts connections
 * @param faults the path on that port by which a responder's faults are set; empty if the process has none
 */
public record Member(Kind kind, String name, long pid, String start, int port, String health, String faults) {

    /** The order is that of stopping: services close their connections to brokers, over the network. */
    public enum Kind {
        SERVICE,
        BROKER,
        NETWORK;

        public String text() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /** A process that this program did not start, and of which it knows no more. */
    public static Member of(String name, long pid, int port) {
        return new Member(Kind.SERVICE, name, pid, "", port, "", "");
    }

    /** The names of members, for people. */
    public static String names(List<Member> members) {
        return members.stream().map(Member::name).sorted().collect(Collectors.joining(", "));
    }

    String toLine() {
        return String.join("\t", kind.name(), name, Long.toString(pid), start, Integer.toString(port), health, faults);
    }

    /**
     * Empty if the line is no record, for example because a crash cut it short.
     */
    static Optional<Member> ofLine(String line) {
        String[] field = line.split("\t", -1);
        if (field.length != 7) {
            return Optional.empty();
        }
        try {
            long pid = Long.parseLong(field[2]);
            int port = Integer.parseInt(field[4]);
            return Optional.of(new Member(Kind.valueOf(field[0]), field[1], pid, field[3], port, field[5], field[6]));
        } catch (IllegalArgumentException e) {
            return Optional.empty();
        }
    }

    /** The state of a member of a stack. */
    public enum Health {
        UP,
        /** The process runs but does not answer, or says that it is not well. */
        UNWELL,
        /** A signal stopped the process, and another signal lets it go on. */
        FROZEN,
        DEAD;

        public static Health of(Stack stack, Member member) {
            Optional<ChildProcess> process = stack.process(member);
            if (process.isEmpty()) {
                return DEAD;
            }
            if (process.get().isFrozen()) {
                return FROZEN;
            }
            return Io.ifPossible(() -> answers(member)).orElse(false) ? UP : UNWELL;
        }

        private static boolean answers(Member member) throws IOException {
            if (!member.health().isEmpty()) {
                return LocalHttp.get(member.port(), member.health()).status() == 200;
            }
            return Ports.accepts(member.port());
        }

        public String text() {
            return name().toLowerCase(Locale.ROOT);
        }
    }
}

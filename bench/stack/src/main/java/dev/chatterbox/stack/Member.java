package dev.chatterbox.stack;

import dev.chatterbox.comparison.target.Target;
import dev.chatterbox.processes.ChildProcess;
import dev.chatterbox.processes.LocalHttp;
import dev.chatterbox.processes.Ports;
import java.io.IOException;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * A process of a stack, as the file of its processes records it: one line, fields separated by tabs.
 *
 * @param start when it started, as {@link ChildProcess#start()} says it; with the pid it identifies the process
 * @param port where it answers
 * @param health the path on that port that answers whether it is well; empty for a broker, which need only accept a connection
 * @param faults the path on that port by which a responder's faults are set; empty where there is none
 */
public record Member(Kind kind, String name, long pid, String start, int port, String health, String faults) {

    /** In the order in which they are stopped: services close their connections to the brokers, and all of them over the network. */
    public enum Kind {
        SERVICE,
        BROKER,
        NETWORK;

        public String text() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /** Of a process that was started just now; the other parameters as a member has them. */
    static Member of(Kind kind, ChildProcess process, int port, String health, String faults) {
        return new Member(kind, process.name(), process.pid(), process.start(), port, health, faults);
    }

    String key() {
        return key(kind, name);
    }

    /** What distinguishes it from all others of its stack: a broker may have the name of a service. */
    static String key(Kind kind, String name) {
        return kind.text() + " " + name;
    }

    Target.Process process() {
        return new Target.Process(name, pid, port);
    }

    /** Their names, for people. */
    public static String names(List<Member> members) {
        return members.stream().map(Member::name).sorted().collect(Collectors.joining(", "));
    }

    String toLine() {
        return String.join("\t", kind.name(), name, Long.toString(pid), start, Integer.toString(port), health, faults);
    }

    /**
     * Empty for what is no record, such as a line that a crash cut short. What an older build started can be stopped,
     * too: it wrote no faults, and an instant as the start.
     */
    static Optional<Member> ofLine(String line) {
        String[] field = line.split("\t", -1);
        try {
            return field.length >= 6
                    ? Optional.of(new Member(
                            Kind.valueOf(field[0]),
                            field[1],
                            Long.parseLong(field[2]),
                            field[3],
                            Integer.parseInt(field[4]),
                            field[5],
                            field.length > 6 ? field[6] : ""))
                    : Optional.empty();
        } catch (IllegalArgumentException e) {
            return Optional.empty();
        }
    }

    /** How a member of a stack does. */
    public enum Health {
        UP,
        /** It runs but does not answer, or says that it is not well. */
        UNWELL,
        /** It was stopped by a signal, and goes on when it gets another one. */
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
            try {
                return answers(member) ? UP : UNWELL;
            } catch (IOException e) {
                return UNWELL;
            }
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

package dev.chatterbox.stack;

import java.time.DateTimeException;
import java.time.Instant;
import java.util.Locale;
import java.util.Optional;

/**
 * A process of a stack, as its state file records it: one line, fields separated by tabs.
 *
 * @param started with the pid, it identifies the process
 * @param port where it answers
 * @param health the path on that port that tells how it does; empty for a broker, which need only accept a connection
 * @param faults the path on that port by which a responder's faults are set; empty where there is none
 */
public record Member(Kind kind, String name, long pid, Instant started, int port, String health, String faults) {

    /** In the order in which they are stopped: services take their leave of the brokers, and all of it over the network. */
    public enum Kind {
        SERVICE,
        BROKER,
        NETWORK;

        public String word() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    String key() {
        return key(kind, name);
    }

    /** What tells it from all others of its stack: a broker may have the name of a service. */
    static String key(Kind kind, String name) {
        return kind.word() + " " + name;
    }

    String toLine() {
        return String.join(
                "\t",
                kind.name(),
                name,
                Long.toString(pid),
                started.toString(),
                Integer.toString(port),
                health,
                faults);
    }

    /** Empty for what is no record, such as a line that a crash cut short. */
    static Optional<Member> ofLine(String line) {
        String[] field = line.split("\t", -1);
        try {
            return field.length == 6 || field.length == 7
                    ? Optional.of(new Member(
                            Kind.valueOf(field[0]),
                            field[1],
                            Long.parseLong(field[2]),
                            Instant.parse(field[3]),
                            Integer.parseInt(field[4]),
                            field[5],
                            // Earlier builds wrote none.
                            field.length == 7 ? field[6] : ""))
                    : Optional.empty();
        } catch (IllegalArgumentException | DateTimeException e) {
            return Optional.empty();
        }
    }
}

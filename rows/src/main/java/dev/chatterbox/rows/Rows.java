package dev.chatterbox.rows;

import dev.chatterbox.transport.Exchange;
import dev.chatterbox.transport.Kind;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.stream.Stream;

/** All rows that there are, sorted by name. Immutable. */
public final class Rows {

    /** Names every row but those that are started only by their name. */
    public static final String ALL = "all";

    /** Names one row of each transport: the one that bears its name. */
    public static final String EACH = "each";

    private static final String SUFFIX = ".properties";
    private static final Set<String> KEYS = Set.of(
            "transport",
            "about",
            "group",
            "kind",
            "exchanges",
            "bounds.per-request",
            "bounds.in-flight",
            "client",
            "client.",
            "responder",
            "responder.name",
            "responder.port.",
            "responder.env.",
            "address.",
            "broker",
            "broker.class",
            "aggregator.env.",
            "raw-client");

    /** The largest bound on calls in flight, as for the aggregator's own. */
    private static final int MOST = 100_000;

    /** What a variant has of its own: it would be the wrong line, and the wrong moment, for it. */
    private static final Set<String> NOT_TAKEN_OVER = Set.of("about", "group");

    private final Map<String, Row> rows = new TreeMap<>();

    private Rows(Collection<Row> rows) {
        rows.forEach(row -> this.rows.put(row.name(), row));
    }

    /**
     * Reads the files of folders.
     *
     * @throws RowException one of them is wrong, a row is in two folders, or there is none in one of them
     */
    public static Rows read(Path... folders) {
        return of(Map.of(), folders);
    }

    /**
     * For files that lie elsewhere than in a folder.
     *
     * @param files by file name, {@code nats.properties}
     * @param folders with further files
     * @throws RowException as {@link #read}
     */
    public static Rows of(Map<String, Properties> files, Path... folders) {
        Map<String, Description> descriptions = new TreeMap<>();
        files.forEach((file, properties) -> descriptions.put(name(file), Description.of("rows/" + file, properties)));
        for (Path folder : folders) {
            addFilesOf(folder, descriptions);
        }
        return ofDescriptions(descriptions);
    }

    private static void addFilesOf(Path folder, Map<String, Description> files) {
        List<Path> found;
        try (Stream<Path> paths = Files.isDirectory(folder) ? Files.list(folder) : Stream.empty()) {
            found = paths.filter(path -> path.getFileName().toString().endsWith(SUFFIX))
                    .sorted()
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        if (found.isEmpty()) {
            throw new RowException("There is no row in %s.".formatted(folder));
        }
        for (Path path : found) {
            Description file = Description.read(path);
            Description other = files.putIfAbsent(name(path.getFileName().toString()), file);
            if (other != null) {
                throw new RowException("%s: this row is there already, in %s; it needs another name."
                        .formatted(file.file(), other.file()));
            }
        }
    }

    private static String name(String file) {
        return file.substring(0, file.length() - SUFFIX.length());
    }

    private static Rows ofDescriptions(Map<String, Description> files) {
        List<Row> rows = files.entrySet().stream()
                .map(file -> row(file.getKey(), file.getValue(), files))
                .toList();
        requireConsistent(rows);
        return new Rows(rows);
    }

    private static Row row(String name, Description own, Map<String, Description> files) {
        own.requireKnown(KEYS);
        String transport = own.get("transport", Description.NAME);
        if (!name.matches(Description.NAME) || !name.equals(transport) && !name.startsWith(transport + "-")) {
            throw new RowException("%s: the row's name must be its transport, %s, or begin with it and a hyphen."
                    .formatted(own.file(), transport));
        }
        Description base = files.get(transport);
        if (base == null) {
            throw new RowException("%s: there is no row %s that it could vary.".formatted(own.file(), transport));
        }
        Description all = name.equals(transport) ? own : merged(own, base);
        Optional<String> program = all.find("responder");
        return new Row(
                name,
                transport,
                all.get("about", ".+"),
                group(all),
                kind(all),
                exchanges(all),
                all.get("client", "[a-z][a-z0-9]*(\\.[a-z][a-z0-9]*)*\\.[A-Z]\\w*"),
                all.below("client."),
                new Row.Bounds(all.number("bounds.per-request", MOST), all.number("bounds.in-flight", MOST)),
                program.map(folder -> new Row.Responder(
                        all.find("responder.name").orElse(folder.substring(folder.lastIndexOf('/') + 1)),
                        folder,
                        all.ports("responder.port."),
                        all.below("responder.env."))),
                all.find("broker").map(broker -> new Row.Broker(broker, all.get("broker.class", "[\\w.]+"))),
                all.below("address."),
                all.below("aggregator.env."),
                all.find("raw-client"));
    }

    private static Description merged(Description own, Description base) {
        Map<String, String> values = new TreeMap<>(base.values());
        NOT_TAKEN_OVER.forEach(values::remove);
        own.values().forEach((key, value) -> {
            if (value.isEmpty()) {
                values.remove(key);
            } else {
                values.put(key, value);
            }
        });
        return new Description(own.file(), values);
    }

    private static Row.Group group(Description file) {
        return switch (file.find("group").orElse(ALL)) {
            case "default" -> Row.Group.DEFAULT;
            case ALL -> Row.Group.ALL;
            case "opt-in" -> Row.Group.OPT_IN;
            default ->
                throw new RowException("%s: group is '%s', but must be default or opt-in, or absent."
                        .formatted(file.file(), file.find("group").orElse("")));
        };
    }

    private static Kind kind(Description file) {
        return Stream.of(Kind.values())
                .filter(kind -> kind.text().equals(file.find("kind").orElse("")))
                .findFirst()
                .orElseThrow(() -> new RowException("%s: kind is '%s', but must be one of %s."
                        .formatted(
                                file.file(),
                                file.find("kind").orElse(""),
                                String.join(
                                        ", ",
                                        Stream.of(Kind.values()).map(Kind::text).toList()))));
    }

    private static List<Exchange> exchanges(Description file) {
        return file.list("exchanges", "[a-z]+").stream()
                .map(name -> Exchange.find(name)
                        .orElseThrow(() -> new RowException("%s: there is no exchange %s; there are: %s"
                                .formatted(file.file(), name, Exchange.names()))))
                .toList();
    }

    /** Rows that share a responder process must mean the same one, and two processes must not share an address. */
    private static void requireConsistent(List<Row> rows) {
        Map<String, Row> byResponder = new LinkedHashMap<>();
        for (Row row : rows) {
            row.responder().ifPresent(responder -> {
                Row other = byResponder.putIfAbsent(responder.name(), row);
                if (other != null && !process(row).equals(process(other))) {
                    throw new RowException(
                            "rows/%s.properties and rows/%s.properties share the responder process %s, so their responder.*, broker and address.* must be the same; a process of its own needs a responder.name."
                                    .formatted(other.name(), row.name(), responder.name()));
                }
            });
        }
        Map<List<Object>, Row> byAddress = new LinkedHashMap<>();
        for (Row row : byResponder.values()) {
            if (row.broker().isPresent()) {
                Row other = byAddress.putIfAbsent(List.of(row.broker(), row.address()), row);
                if (other != null) {
                    throw new RowException(
                            "rows/%s.properties and rows/%s.properties have two responder processes at one address of the broker %s: each would take the other's calls."
                                    .formatted(
                                            other.name(),
                                            row.name(),
                                            row.broker().get().name()));
                }
            }
        }
    }

    private static List<Object> process(Row row) {
        return List.of(row.responder(), row.broker(), row.address());
    }

    /** By name. */
    public Collection<Row> all() {
        return List.copyOf(rows.values());
    }

    public List<String> names() {
        return List.copyOf(rows.keySet());
    }

    public Optional<Row> find(String name) {
        return Optional.ofNullable(rows.get(name));
    }

    /** Those that are started unless others are named, by name. */
    public List<Row> byDefault() {
        return choose(row -> row.group() == Row.Group.DEFAULT);
    }

    /**
     * The rows that a list of names means.
     *
     * @param names of rows, {@link #ALL} or {@link #EACH}; none means those that are started by default
     * @return by name, each once
     * @throws RowException a name is that of no row; the message lists those that there are
     */
    public List<Row> choose(Collection<String> names) {
        if (names.isEmpty()) {
            return byDefault();
        }
        Set<String> chosen = new LinkedHashSet<>();
        for (String name : names) {
            if (name.equals(ALL)) {
                choose(row -> row.group() != Row.Group.OPT_IN).forEach(row -> chosen.add(row.name()));
            } else if (name.equals(EACH)) {
                choose(row -> row.group() != Row.Group.OPT_IN && row.name().equals(row.transport()))
                        .forEach(row -> chosen.add(row.name()));
            } else if (rows.containsKey(name)) {
                chosen.add(name);
            } else {
                throw new RowException(
                        "There is no transport '%s'. These are there: %s; '%s' means all but %s, and '%s' one of each transport."
                                .formatted(name, String.join(", ", names()), ALL, optIn(), EACH));
            }
        }
        return choose(row -> chosen.contains(row.name()));
    }

    private String optIn() {
        return String.join(
                ", ",
                choose(row -> row.group() == Row.Group.OPT_IN).stream()
                        .map(Row::name)
                        .toList());
    }

    private List<Row> choose(Predicate<Row> which) {
        return rows.values().stream().filter(which).toList();
    }
}

package dev.chatterbox.rows;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** All rows, sorted by name. Immutable. */
public final class Rows {

    /** Names every row except those of the groups {@link Row.Group#OPT_IN} and {@link Row.Group#CLAIMS}. */
    public static final String ALL = "all";

    /** Names the rows of the group {@link Row.Group#CLAIMS}. */
    public static final String CLAIMS = "claims";

    /** Names one row of each transport: the row that has the transport's name. */
    public static final String EACH = "each";

    private static final String SUFFIX = ".properties";
    private static final String NAME = "[a-z][a-z0-9]*(-[a-z0-9]+)*";

    /** A variant does not inherit these keys: the description and the group of its transport would be wrong for it. */
    private static final Set<String> NOT_TAKEN_OVER = Set.of("about", "group");

    private final Map<String, Row> rows = new TreeMap<>();

    private Rows(Collection<Row> rows) {
        rows.forEach(row -> this.rows.put(row.name(), row));
    }

    /**
     * Reads all rows in the folders.
     *
     * @throws RowException a file is wrong, two folders hold the same row, or a folder holds no row
     */
    public static Rows read(Path... folders) {
        return of(Map.of(), folders);
    }

    /**
     * Takes rows that are not files in a folder, and reads those that are.
     *
     * @param files by file name, such as {@code nats.properties}
     * @param folders hold further rows as files
     * @throws RowException as {@link #read} throws it
     */
    public static Rows of(Map<String, Properties> files, Path... folders) {
        Map<String, PropertiesFile> all = new TreeMap<>();
        files.forEach((file, properties) -> all.put(name(file), PropertiesFile.of("rows/" + file, properties)));
        for (Path folder : folders) {
            addFilesOf(folder, all);
        }
        List<Row> rows = all.entrySet().stream()
                .map(file -> row(file.getKey(), file.getValue(), all))
                .toList();
        requireConsistent(rows);
        return new Rows(rows);
    }

    private static void addFilesOf(Path folder, Map<String, PropertiesFile> files) {
        List<Path> paths;
        try (Stream<Path> entries = Files.isDirectory(folder) ? Files.list(folder) : Stream.empty()) {
            paths = entries.filter(path -> path.toString().endsWith(SUFFIX))
                    .sorted()
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        if (paths.isEmpty()) {
            throw new RowException("There is no row in %s.".formatted(folder));
        }
        for (Path path : paths) {
            PropertiesFile file = PropertiesFile.read(path);
            PropertiesFile other = files.putIfAbsent(name(path.getFileName().toString()), file);
            if (other != null) {
                throw new RowException("%s: this row is there already, in %s; it needs another name."
                        .formatted(file.file(), other.file()));
            }
        }
    }

    private static String name(String file) {
        return file.substring(0, file.length() - SUFFIX.length());
    }

    private static Row row(String name, PropertiesFile own, Map<String, PropertiesFile> files) {
        String transport = own.values().getOrDefault("transport", "");
        if (!transport.matches(NAME)) {
            throw new RowException("%s: transport is '%s', but must match %s.".formatted(own.file(), transport, NAME));
        }
        if (!name.matches(NAME) || !name.equals(transport) && !name.startsWith(transport + "-")) {
            throw new RowException("%s: the row's name must be its transport, %s, or begin with it and a hyphen."
                    .formatted(own.file(), transport));
        }
        PropertiesFile base = files.get(transport);
        if (base == null) {
            throw new RowException("%s: there is no row %s that it could vary.".formatted(own.file(), transport));
        }
        PropertiesFile all = name.equals(transport) ? own : own.over(base, NOT_TAKEN_OVER);
        return all.bind(RowKeys.class, keys -> keys.row(name));
    }

    /** Rows that share a broker or a responder must mean the same one, and two responders must not share an address. */
    private static void requireConsistent(List<Row> rows) {
        Map<String, Row> byResponder = new TreeMap<>();
        Map<String, Row> byBroker = new TreeMap<>();
        Map<List<Object>, Row> byAddress = new HashMap<>();
        for (Row row : rows) {
            row.broker().map(broker -> byBroker.putIfAbsent(broker.name(), row)).ifPresent(same -> {
                if (!same.broker().equals(row.broker())) {
                    throw new RowException(
                            "rows/%s.properties and rows/%s.properties share the broker %s, so their broker.class and broker.nodes must be the same; a cluster needs a name of its own."
                                    .formatted(
                                            same.name(),
                                            row.name(),
                                            same.broker().get().name()));
                }
            });
            if (row.responder().isEmpty()) {
                continue;
            }
            String responder = row.responder().get().name();
            Row same = byResponder.putIfAbsent(responder, row);
            if (same != null && !process(row).equals(process(same))) {
                throw new RowException(
                        "rows/%s.properties and rows/%s.properties share the responder process %s, so their responder.*, broker and address.* must be the same; a process of its own needs a responder.name."
                                .formatted(same.name(), row.name(), responder));
            }
            Row other = same == null && row.broker().isPresent()
                    ? byAddress.putIfAbsent(List.of(row.broker(), row.address()), row)
                    : null;
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

    private static List<Object> process(Row row) {
        return List.of(row.responder(), row.broker(), row.address());
    }

    /** All rows, sorted by name. */
    public Collection<Row> all() {
        return List.copyOf(rows.values());
    }

    public List<String> names() {
        return List.copyOf(rows.keySet());
    }

    public Optional<Row> find(String name) {
        return Optional.ofNullable(rows.get(name));
    }

    /** The rows that are started if no others are named, sorted by name. */
    public List<Row> byDefault() {
        return choose(row -> row.group() == Row.Group.DEFAULT);
    }

    /**
     * The rows that a list of names means.
     *
     * @param names of rows, {@link #ALL}, {@link #EACH} or {@link #CLAIMS}; an empty list means the rows that are
     *     started by default
     * @return sorted by name, each row once
     * @throws RowException no row has one of the names; the message lists the rows that exist
     */
    public List<Row> choose(Collection<String> names) {
        if (names.isEmpty()) {
            return byDefault();
        }
        List<Row> chosen = names.stream().flatMap(name -> named(name).stream()).toList();
        return choose(chosen::contains);
    }

    private List<Row> named(String name) {
        if (name.equals(ALL)) {
            return choose(Rows::ofAll);
        }
        if (name.equals(EACH)) {
            return choose(row -> ofAll(row) && row.name().equals(row.transport()));
        }
        if (name.equals(CLAIMS)) {
            return choose(row -> row.group() == Row.Group.CLAIMS);
        }
        return find(name).map(List::of).orElseThrow(() -> {
            List<Row> others = choose(row -> !ofAll(row));
            return new RowException(
                    "There is no transport '%s'. These are there: %s; '%s' means all but %s, '%s' one of each transport, and '%s' those with published settings."
                            .formatted(
                                    name,
                                    String.join(", ", names()),
                                    ALL,
                                    others.stream().map(Row::name).collect(Collectors.joining(", ")),
                                    EACH,
                                    CLAIMS));
        });
    }

    private static boolean ofAll(Row row) {
        return row.group() == Row.Group.DEFAULT || row.group() == Row.Group.ALL;
    }

    private List<Row> choose(Predicate<Row> which) {
        return rows.values().stream().filter(which).toList();
    }
}

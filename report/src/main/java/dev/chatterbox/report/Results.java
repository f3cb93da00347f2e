package dev.chatterbox.report;

import dev.chatterbox.cli.CliException;
import dev.chatterbox.cli.ExitCode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;
import java.util.stream.Stream;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** What a comparison left behind, in its {@value #FILE}. */
record Results(Path file, JsonNode json, List<Cell> cells, List<RawLimit> rawLimits) {

    static final String FILE = "results.json";
    static final String SCHEMA = "chatterbox-results/1";

    /** @throws CliException if it is not there, is no JSON or has another schema */
    static Results read(Path folderOrFile) {
        Path file = Files.isDirectory(folderOrFile) ? folderOrFile.resolve(FILE) : folderOrFile;
        if (!Files.isRegularFile(file)) {
            throw badInput("There is no " + file + ".");
        }
        JsonNode json;
        try {
            json = JsonMapper.shared().readTree(file);
        } catch (JacksonException e) {
            throw badInput("%s is not readable JSON: %s.".formatted(file, e.getOriginalMessage()));
        }
        String schema = Json.text(json, "/schema");
        if (!schema.equals(SCHEMA)) {
            throw badInput(
                    schema.isEmpty()
                            ? "%s is no result of ./chatterbox compare: it names no schema.".formatted(file)
                            : "%s has the schema %s, and this version reads %s only: use the version that wrote it, or measure again."
                                    .formatted(file, schema, SCHEMA));
        }
        return new Results(
                file,
                json,
                Json.children(json, "/cells").stream().map(Cell::of).toList(),
                Json.children(json, "/rawLimits").stream()
                        .map(RawLimit::of)
                        .sorted(Comparator.comparing(RawLimit::transport))
                        .toList());
    }

    static CliException badInput(String message) {
        return new CliException(ExitCode.WRONG_USAGE, message);
    }

    String name() {
        return Json.text(json, "/name").isEmpty() ? "comparison" : Json.text(json, "/name");
    }

    /** The name of its folder, which has the time in it. */
    String folder() {
        Path parent = file.toAbsolutePath().normalize().getParent();
        return parent == null || parent.getFileName() == null
                ? name()
                : parent.getFileName().toString();
    }

    boolean interrupted() {
        return Json.isTrue(json, "/interrupted");
    }

    /** As in the file, to the minute. */
    String started() {
        String started = Json.text(json, "/started");
        return started.length() >= 16 ? started.substring(0, 16).replace('T', ' ') + " UTC" : started;
    }

    Optional<Duration> took() {
        try {
            return Optional.of(Duration.between(
                    Instant.parse(Json.text(json, "/started")), Instant.parse(Json.text(json, "/finished"))));
        } catch (DateTimeParseException e) {
            return Optional.empty();
        }
    }

    /** "abc1234" or "abc1234, with changes"; empty if unknown. */
    String revision() {
        String revision = Json.text(json, "/environment/git/revision");
        return Json.isTrue(json, "/environment/git/dirty") ? revision + ", with changes" : revision;
    }

    /** Measured, sorted. */
    List<String> transports() {
        return Stream.concat(
                        cells.stream().map(Cell::transport), rawLimits.stream().map(RawLimit::transport))
                .filter(name -> !name.isEmpty())
                .distinct()
                .sorted()
                .toList();
    }

    /** Also those that were not measured but are there: the live page colours by all of them. */
    List<String> knownTransports() {
        TreeSet<String> names = new TreeSet<>(transports());
        names.addAll(Json.fields(json, "/environment/settings/transports").keySet());
        return List.copyOf(names);
    }

    /** Of one model, in order. */
    List<Load> loads(boolean closed) {
        return cells.stream()
                .map(Cell::load)
                .filter(load -> load.closed() == closed)
                .distinct()
                .sorted()
                .toList();
    }

    Optional<Cell> cell(String transport, Load load) {
        return cells.stream()
                .filter(cell ->
                        cell.transport().equals(transport) && cell.load().equals(load))
                .findFirst();
    }

    List<Cell> invalidCells() {
        return cells.stream().filter(cell -> !cell.valid()).toList();
    }
}

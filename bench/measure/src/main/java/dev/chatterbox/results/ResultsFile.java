package dev.chatterbox.results;

import dev.chatterbox.workloads.Workload;
import dev.chatterbox.workloads.WorkloadException;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.lang.reflect.RecordComponent;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.regex.Pattern;
import java.util.zip.GZIPInputStream;
import java.util.zip.GZIPOutputStream;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.databind.DeserializationContext;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.MapperFeature;
import tools.jackson.databind.SerializationFeature;
import tools.jackson.databind.ValueDeserializer;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.module.SimpleModule;
import tools.jackson.databind.ser.std.ToStringSerializer;

/** {@code results.json}, in the one schema that this version writes and reads. */
public final class ResultsFile {

    public static final String NAME = "results.json";
    public static final String SCHEMA = "chatterbox-slices/3";
    private static final String COMPRESSED = ".gz";

    /** The folders of an absolute path that is an argument or the value of a flag. */
    private static final Pattern FOLDERS = Pattern.compile("(?<=[= ])/(?:[^/\\s\"]+/)+(?=[^/\\s\"])");

    private static final JsonMapper JSON = JsonMapper.builder()
            // Fields keep the order of the records, as the documentation shows it.
            .disable(MapperFeature.SORT_PROPERTIES_ALPHABETICALLY)
            .enable(SerializationFeature.INDENT_OUTPUT)
            .addModule(new SimpleModule()
                    .addSerializer(Workload.class, ToStringSerializer.instance)
                    .addDeserializer(Workload.class, new WorkloadReader()))
            .build();

    private ResultsFile() {}

    public static String write(Results results) {
        return JSON.writeValueAsString(results) + "\n";
    }

    /**
     * The content of a file whose name ends with .gz, which {@link #read} also reads. It is for other people, so of
     * files in command lines and flags it has the names, without the folders of this machine.
     */
    public static byte[] compressed(Results results) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (OutputStream out = new GZIPOutputStream(bytes)) {
            out.write(FOLDERS.matcher(write(results)).replaceAll("").getBytes(StandardCharsets.UTF_8));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return bytes.toByteArray();
    }

    private static String text(Path file) throws IOException {
        byte[] bytes = Files.readAllBytes(file);
        if (file.toString().endsWith(COMPRESSED)) {
            bytes = new GZIPInputStream(new ByteArrayInputStream(bytes)).readAllBytes();
        }
        return new String(bytes, StandardCharsets.UTF_8);
    }

    /**
     * Reads a file, compressed if its name ends with .gz, or the file in a folder.
     *
     * @throws ResultsException the file is not there, is no JSON, or has a schema that this version does not know, or
     *     lacks a part
     */
    public static Results read(Path folderOrFile) {
        Path file = file(folderOrFile);
        if (!Files.isRegularFile(file)) {
            throw new ResultsException("There is no " + file + ".");
        }
        try {
            JsonNode tree = JSON.readTree(text(file));
            String schema = tree.path("schema").asString("");
            if (schema.isEmpty()) {
                throw new ResultsException("is no result of ./chatterbox compare: it names no schema.");
            }
            if (!schema.equals(SCHEMA)) {
                throw new ResultsException(
                        "has the schema %s, and this version reads %s alone: use the version that wrote it, or measure again."
                                .formatted(schema, SCHEMA));
            }
            requireParts(tree, "it", Results.class);
            for (JsonNode cell : tree.path("cells").values()) {
                requireParts(cell, "a cell", Cell.class);
                for (JsonNode slice : cell.path("slices").values()) {
                    requirePart(slice, "a slice", "cpuNanos");
                    requirePart(slice, "a slice", "reasons");
                }
            }
            return JSON.treeToValue(tree, Results.class);
        } catch (JacksonException e) {
            throw new ResultsException("%s is not readable: %s.".formatted(file, e.getOriginalMessage()));
        } catch (IOException | ResultsException | WorkloadException e) {
            throw new ResultsException("%s %s".formatted(file, e.getMessage()));
        }
    }

    /** Makes sure that a record's parts are there, unless they may be null. */
    private static void requireParts(JsonNode node, String what, Class<? extends Record> type) {
        for (RecordComponent part : type.getRecordComponents()) {
            if (!part.getType().isPrimitive() && !part.getAnnotatedType().isAnnotationPresent(Nullable.class)) {
                requirePart(node, what, part.getName());
            }
        }
    }

    private static void requirePart(JsonNode node, String what, String name) {
        if (!node.hasNonNull(name)) {
            throw new ResultsException("is no whole result: %s has no '%s'.".formatted(what, name));
        }
    }

    /** Writes a file whole or not at all: after a full disk, half of a file would look like a result. */
    public static void replace(Path file, String text) throws IOException {
        Path unfinished = file.resolveSibling(file.getFileName() + ".unfinished");
        try {
            Files.writeString(unfinished, text);
            Files.move(unfinished, file, StandardCopyOption.ATOMIC_MOVE);
        } finally {
            Files.deleteIfExists(unfinished);
        }
    }

    /** The file of a folder, or the file itself. */
    public static Path file(Path folderOrFile) {
        return Files.isDirectory(folderOrFile) ? folderOrFile.resolve(NAME) : folderOrFile;
    }

    private static final class WorkloadReader extends ValueDeserializer<Workload> {

        @Override
        public Workload deserialize(JsonParser json, DeserializationContext context) {
            return Workload.parse(json.getString());
        }
    }
}

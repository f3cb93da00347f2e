package dev.chatterbox.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Runs the report's script with Node.js. */
final class NodeScript {

    private NodeScript() {}

    static boolean isInstalled() {
        return Stream.of(System.getenv().getOrDefault("PATH", "").split(java.io.File.pathSeparator))
                .anyMatch(folder -> Files.isExecutable(Path.of(folder, "node")));
    }

    /**
     * What an expression gives after prediction.js.
     *
     * @param section its data is {@code data}
     * @param input is {@code input}
     */
    static JsonNode calculated(Path folder, PredictionSection section, Object input, String expression)
            throws IOException, InterruptedException {
        Path script = folder.resolve("script.js");
        Files.writeString(
                script,
                "%s%nconst data = %s;%nconst input = %s;%nconsole.log(JSON.stringify(%s));%n"
                        .formatted(
                                Templates.asset("prediction.js"),
                                Templates.json(section.data()),
                                JsonMapper.shared().writeValueAsString(input),
                                expression));
        Process node = new ProcessBuilder("node", script.toString())
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        String json = new String(node.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(node.waitFor()).isZero();
        return JsonMapper.shared().readTree(json);
    }
}

package dev.chatterbox.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Runs the commands of the pages that stand below {@code <!-- run -->}, on a stack of the default variants. */
@Tag("long")
class DocsIT {

    private static final Pattern MARKED = Pattern.compile("(?ms)^<!-- run -->\\n```sh\\n(.*?)^```$");

    private final Commands commands = new Commands(Commands.builtCheckout());

    static List<Path> pages() throws IOException {
        List<Path> marked = new ArrayList<>();
        for (Path page : DocsTests.pages()) {
            if (Files.readString(page).contains("\n<!-- run -->\n")) {
                marked.add(page);
            }
        }
        assertThat(marked).hasSizeGreaterThan(1);
        return marked;
    }

    @ParameterizedTest
    @MethodSource("pages")
    void everyCommandSucceeds(Path page) throws Exception {
        List<String> lines = MARKED.matcher(Files.readString(page))
                .results()
                .flatMap(block -> block.group(1).lines())
                .map(line -> line.replaceFirst("\\s+#.*", ""))
                .toList();
        assertThat(lines).isNotEmpty();
        for (String line : lines) {
            Commands.Result result = line.startsWith("./chatterbox ") ? chatterbox(line) : shell(line);
            assertThat(result.exitCode()).as("%s%n%s", line, result.output()).isZero();
        }
    }

    private Commands.Result chatterbox(String line) {
        List<String> words = new ArrayList<>(List.of(line.split(" ")));
        words.remove(0);
        words.add("--port-offset=" + RealStack.offset());
        return commands.run(words.toArray(String[]::new));
    }

    private static Commands.Result shell(String line) throws Exception {
        String here = line.replace("localhost:8080", "localhost:" + (8080 + RealStack.offset()))
                .replaceFirst("^curl ", "curl --fail --silent --show-error ");
        Process process =
                new ProcessBuilder("sh", "-c", here).redirectErrorStream(true).start();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        return new Commands.Result(process.waitFor(), output);
    }
}

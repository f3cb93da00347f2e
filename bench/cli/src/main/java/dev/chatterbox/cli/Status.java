package dev.chatterbox.cli;

import dev.chatterbox.control.ResponderFaults;
import dev.chatterbox.control.StackStatus;
import dev.chatterbox.results.Numbers;
import dev.chatterbox.stack.Repository;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import tools.jackson.databind.json.JsonMapper;

@Command(
        name = "status",
        description = "Show every process of every stack. Exit code 0 if all are up, 3 if not, also when nothing runs.")
final class Status extends CheckoutCommand {

    private static final String VARIANT = " %8s %6s %9s %12s %12s  %s";

    @Option(names = "--json", description = "Print a JSON array with an object for each stack, for scripts.")
    private boolean json;

    @Mixin
    private final PortOffset offset = new PortOffset();

    Status(Repository repository, Terminal terminal) {
        super(repository, terminal);
    }

    @Override
    public Integer call() {
        List<StackStatus> stacks = repository.stacks().stream()
                .filter(stack -> offset.named().isEmpty() || stack.offset() == offset.value())
                .map(StackStatus::of)
                .toList();
        if (json) {
            terminal.line(JsonMapper.shared().writerWithDefaultPrettyPrinter().writeValueAsString(stacks));
        } else if (stacks.isEmpty()) {
            String where = offset.named().map(" --port-offset %d"::formatted).orElse("");
            terminal.line("Nothing is running%s. To start it: ./chatterbox up%s"
                    .formatted(where.isEmpty() ? "" : " with" + where, where));
        } else {
            stacks.forEach(stack -> print(stack, stacks.size() > 1));
        }
        return !stacks.isEmpty() && stacks.stream().allMatch(StackStatus::allUp) ? ExitCode.OK : ExitCode.NEGATIVE;
    }

    private void print(StackStatus stack, boolean oneOfSeveral) {
        if (oneOfSeveral || stack.portOffset() != 0) {
            terminal.line("port offset " + stack.portOffset());
        }
        int longest = stack.processes().stream()
                .mapToInt(process -> process.name().length())
                .max()
                .orElse(0);
        String columns = "%-" + Math.max(longest, "process".length()) + "s" + VARIANT;
        terminal.line(terminal.bold(columns.formatted("process", "pid", "port", "memory", "cpu", "uptime", "health")));
        stack.processes().forEach(process -> terminal.line(line(columns, process)));
        terminal.line("variants: " + String.join(", ", stack.variants()));
        stack.distanceMillis()
                .ifPresent(millis ->
                        terminal.line("distance: %d ms in each round trip over the network".formatted(millis)));
        stack.processes()
                .forEach(process -> process.faults()
                        .filter(ResponderFaults::isOn)
                        .ifPresent(faults -> terminal.line("faults: %s %s".formatted(process.name(), faults.text()))));
        stack.disabled().forEach((variant, reason) -> terminal.line("disabled: %s. %s".formatted(variant, reason)));
        terminal.line("logs: " + stack.logs());
    }

    private String line(String columns, StackStatus.ProcessStatus process) {
        return columns.formatted(
                process.name(),
                process.pid(),
                process.port(),
                process.memoryBytes().map(Numbers::bytes).orElse("–"),
                process.cpuSeconds().map(Numbers::time).orElse("–"),
                process.uptimeSeconds().map(Numbers::time).orElse("–"),
                process.isUp() ? terminal.green(process.state()) : terminal.red(process.state()));
    }
}

package dev.chatterbox.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.chatterbox.cli.Commands.Result;
import dev.chatterbox.stack.Repository;
import dev.chatterbox.stack.Stack;

/**
 * A stack with the services of this checkout over the default variants. {@code up} starts it once for all tests, and it
 * is stopped after the last test.
 */
final class RealStack {

    private static final Repository REPOSITORY = Commands.builtCheckout();
    private static final Commands COMMANDS = new Commands(REPOSITORY);
    private static final int OFFSET = start();

    private RealStack() {}

    private static int start() {
        int offset = COMMANDS.freeOffset();
        Runtime.getRuntime()
                .addShutdownHook(new Thread(() -> COMMANDS.run("down", "--port-offset", Integer.toString(offset))));
        Result up = COMMANDS.run("up", "--port-offset", Integer.toString(offset));
        assertThat(up.exitCode()).as(up.output()).isZero();
        return offset;
    }

    static int offset() {
        return OFFSET;
    }

    static Stack stack() {
        return REPOSITORY.stack(OFFSET);
    }
}

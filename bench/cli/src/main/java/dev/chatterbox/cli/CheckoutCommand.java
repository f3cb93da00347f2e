package dev.chatterbox.cli;

import dev.chatterbox.stack.Repository;
import java.util.concurrent.Callable;

/** A command that works in a checkout and shows what it does; it returns its exit code. */
abstract class CheckoutCommand implements Callable<Integer> {

    final Repository repository;
    final Terminal terminal;

    CheckoutCommand(Repository repository, Terminal terminal) {
        this.repository = repository;
        this.terminal = terminal;
    }
}

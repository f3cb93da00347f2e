package dev.chatterbox.stack;

import dev.chatterbox.processes.ChildProcess;
import dev.chatterbox.processes.LocalHttp;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.util.Locale;
import java.util.Optional;

/** How a member of a stack does. */
public enum Health {
    UP,
    /** It runs but does not answer, or says that it is not well. */
    UNWELL,
    /** It was stopped by a signal, and goes on when it gets another one. */
    FROZEN,
    DEAD;

    public static Health of(Stack stack, Member member) {
        Optional<ChildProcess> process = stack.process(member);
        if (process.isEmpty()) {
            return DEAD;
        }
        if (process.get().isFrozen()) {
            return FROZEN;
        }
        try {
            return answers(member) ? UP : UNWELL;
        } catch (IOException e) {
            return UNWELL;
        }
    }

    private static boolean answers(Member member) throws IOException {
        if (!member.health().isEmpty()) {
            return LocalHttp.get(member.port(), member.health()).status() == 200;
        }
        try (Socket socket = new Socket()) {
            socket.connect(new InetSocketAddress("127.0.0.1", member.port()), 2000);
            return true;
        }
    }

    public String text() {
        return name().toLowerCase(Locale.ROOT);
    }
}

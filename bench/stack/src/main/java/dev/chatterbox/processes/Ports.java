package dev.chatterbox.processes;

import java.io.IOException;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ThreadLocalRandom;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** TCP ports of this machine's loopback address. */
public final class Ports {

    /** This is below the ports that Linux uses for outgoing connections, which are 32768 and up. */
    private static final int FIRST = 20_000;

    private static final int LAST = 32_000;

    /** A connection within this machine takes less time, unless the listener's queue is full. */
    private static final int CONNECT_MILLIS = 1000;

    private Ports() {}

    /** Each is bound to a port of UDP, and stays open until this JVM ends. */
    private static final Queue<DatagramSocket> RESERVATIONS = new ConcurrentLinkedQueue<>();

    /**
     * Reserves distinct ports that nobody listens on. Outgoing connections do not take these ports either, so they are
     * still free when a broker is started again after a pause.
     */
    public static List<Integer> free(int count) {
        return IntStream.generate(() -> ThreadLocalRandom.current().nextInt(FIRST, LAST))
                .filter(Ports::reserve)
                .limit(count)
                .boxed()
                .toList();
    }

    /**
     * Reserves a port that nobody listens on, so that while this JVM runs, no other caller of this method gets it, not
     * even in another JVM: its own listener may start later. The port of UDP with the same number marks it.
     *
     * @return false if somebody listens on the port, or has reserved it
     */
    public static boolean reserve(int port) {
        try {
            RESERVATIONS.add(new DatagramSocket(Loopback.socket(port)));
            return isFree(port);
        } catch (SocketException reserved) {
            return false;
        }
    }

    /**
     * Finds out who listens on a port.
     *
     * @return empty if the port is free, else the owner's pid and command as far as this user may see them
     */
    public static Optional<String> owner(int port) {
        if (isFree(port)) {
            return Optional.empty();
        }
        return Optional.of(pid(port).map(Ports::describe).orElse("a process that this user may not see"));
    }

    private static boolean isFree(int port) {
        // It does not listen, so that nobody takes it for the process that is awaited here.
        try (Socket socket = new Socket()) {
            socket.setReuseAddress(true);
            socket.bind(Loopback.socket(port));
        } catch (IOException e) {
            return false;
        }
        // A listener on ::1 alone leaves 127.0.0.1 free, and a client may resolve "localhost" to ::1.
        // A machine without that name has no such client.
        return Io.ifPossible(() -> InetAddress.getAllByName("localhost")).stream()
                .flatMap(Arrays::stream)
                .noneMatch(address -> accepts(address, port));
    }

    /** Whether a process accepts connections on a port. */
    public static boolean accepts(int port) {
        return accepts(Loopback.socket(port).getAddress(), port);
    }

    private static boolean accepts(InetAddress address, int port) {
        try (Socket socket = new Socket()) {
            socket.connect(new InetSocketAddress(address, port), CONNECT_MILLIS);
            return true;
        } catch (IOException refused) {
            return false;
        }
    }

    private static String describe(long pid) {
        String command = ProcessHandle.of(pid)
                .map(ProcessHandle::info)
                .flatMap(info -> info.commandLine().or(info::command))
                .orElse("")
                // The program's folder is removed, because it is long and says little.
                .replaceFirst("^[^ ]*/", "");
        if (command.length() > 100) {
            command = command.substring(0, 99) + "…";
        }
        return command.isEmpty() ? "pid " + pid : "pid %d (%s)".formatted(pid, command);
    }

    /** Finds the inodes of the sockets that listen on a port, and then a process with one of them. */
    private static Optional<Long> pid(int port) {
        Set<String> sockets = Stream.of("net/tcp", "net/tcp6")
                .flatMap(file -> Proc.text(file).stream())
                .flatMap(String::lines)
                .map(line -> line.trim().split("\\s+"))
                // The fields are "sl local_address rem_address st … inode"; 0A means LISTEN.
                .filter(field -> field.length > 9 && field[3].equals("0A"))
                .filter(field -> field[1].endsWith(":%04X".formatted(port)))
                .map(field -> "socket:[" + field[9] + "]")
                .collect(Collectors.toSet());
        return ProcessHandle.allProcesses()
                .map(ProcessHandle::pid)
                .filter(pid -> hasOpen(pid, sockets))
                .findFirst();
    }

    private static boolean hasOpen(long pid, Set<String> sockets) {
        return Proc.entries(pid, "fd").stream()
                .map(file -> Path.of("/proc/%d/fd/%s".formatted(pid, file)))
                .flatMap(file -> Io.ifPossible(() -> Files.readSymbolicLink(file)).stream())
                .anyMatch(file -> sockets.contains(file.toString()));
    }
}

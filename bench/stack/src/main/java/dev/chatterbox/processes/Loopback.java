package dev.chatterbox.processes;

import java.net.InetSocketAddress;

/**
 * Where the processes of this machine listen, and where they are asked. It is not {@code localhost}, because that may
 * also be ::1, where another program may listen.
 */
public final class Loopback {

    public static final String HOST = "127.0.0.1";

    private Loopback() {}

    /** A port for clients, {@code 127.0.0.1:8080}. */
    public static String authority(int port) {
        return HOST + ":" + port;
    }

    public static InetSocketAddress socket(int port) {
        return new InetSocketAddress(HOST, port);
    }
}

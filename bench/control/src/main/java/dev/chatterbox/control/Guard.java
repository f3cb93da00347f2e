package dev.chatterbox.control;

import com.sun.net.httpserver.Headers;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Who may ask the control service: the live page of its own stack, opened at the address that {@code up} printed. A
 * browser tells in {@code Origin} which page asks, and lets no page set it; {@code Host} is checked because a name that
 * leads to this machine by its owner's will (DNS rebinding) would make another page's origin look like this one; the
 * token is checked because other users of this machine have a browser, too.
 *
 * @param hosts as which the service may be asked, such as {@code localhost:8079}
 * @param origins of the live page, such as {@code http://localhost:8080}
 */
record Guard(Set<String> hosts, Set<String> origins, String token) {

    static Guard of(int port, int pagePort, String token) {
        return new Guard(
                names().map(name -> name + ":" + port).collect(Collectors.toUnmodifiableSet()),
                names().map(name -> "http://" + name + ":" + pagePort).collect(Collectors.toUnmodifiableSet()),
                token);
    }

    private static Stream<String> names() {
        return Stream.of("localhost", "127.0.0.1");
    }

    /** Whether the request means this service: what is no secret asks for no more. */
    boolean isMeant(Headers headers) {
        return only(headers, "Host").filter(hosts::contains).isPresent();
    }

    /** The page that asks, if it is the one that may; a browser that asks beforehand (CORS) has no token yet. */
    Optional<String> origin(Headers headers) {
        return only(headers, "Origin").filter(origins::contains);
    }

    boolean permits(Headers headers) {
        return isMeant(headers) && origin(headers).isPresent() && hasToken(headers);
    }

    /** In a time that does not depend on how much of it is right. */
    private boolean hasToken(Headers headers) {
        return !token.isEmpty()
                && only(headers, "Authorization")
                        .filter(given -> MessageDigest.isEqual(
                                given.getBytes(StandardCharsets.UTF_8),
                                ("Bearer " + token).getBytes(StandardCharsets.UTF_8)))
                        .isPresent();
    }

    /** Two of the same may be read differently by two who look. */
    private static Optional<String> only(Headers headers, String name) {
        List<String> values = headers.getOrDefault(name, List.of());
        return values.size() == 1 ? Optional.of(values.get(0)) : Optional.empty();
    }
}

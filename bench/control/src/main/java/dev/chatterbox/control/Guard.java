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
 * Who may use the control service: the live page of its own stack, opened at the address that {@code up} printed. A
 * browser names in {@code Origin} the page that makes a request, and lets no page set it; {@code Host} is checked because a name that
 * leads to this machine by its owner's will (DNS rebinding) would make another page's origin look like this one; the
 * token is checked because other users of this machine have a browser, too.
 *
 * @param hosts by which requests may name the service, such as {@code localhost:8079}
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

    /** Whether the request means this service; what is no secret needs no more. */
    boolean isMeant(Headers headers) {
        return only(headers, "Host").filter(hosts::contains).isPresent();
    }

    /** The page that makes the request, if it is the one that may; a preflight request (CORS) has no token yet. */
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

    /** Two readers may take different ones of two headers of the same name. */
    private static Optional<String> only(Headers headers, String name) {
        List<String> values = headers.getOrDefault(name, List.of());
        return values.size() == 1 ? Optional.of(values.get(0)) : Optional.empty();
    }
}

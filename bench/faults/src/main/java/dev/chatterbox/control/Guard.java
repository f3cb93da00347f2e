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
 * Says who may use the control service: only the live page of its own stack, opened at the address that {@code up}
 * printed. {@code Origin} is checked because the browser sets it to the page that makes a request, and no page can
 * change it. {@code Host} is checked because a foreign host name may lead to this machine (DNS rebinding), and the page
 * behind it would look like this one. The token is checked because other users of this machine have a browser, too.
 *
 * @param hosts names by which requests may address the service, such as {@code localhost:8079}
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

    /** Whether the request is for this service. Requests for what is not secret need no other check. */
    boolean isMeant(Headers headers) {
        return only(headers, "Host").filter(hosts::contains).isPresent();
    }

    /** The page that makes the request, if that is the live page; a preflight request (CORS) has no token yet. */
    Optional<String> origin(Headers headers) {
        return only(headers, "Origin").filter(origins::contains);
    }

    boolean permits(Headers headers) {
        return isMeant(headers) && origin(headers).isPresent() && hasToken(headers);
    }

    /** Compares in a time that does not depend on how much of the token is right. */
    private boolean hasToken(Headers headers) {
        return !token.isEmpty()
                && only(headers, "Authorization")
                        .filter(given -> MessageDigest.isEqual(
                                given.getBytes(StandardCharsets.UTF_8),
                                ("Bearer " + token).getBytes(StandardCharsets.UTF_8)))
                        .isPresent();
    }

    /** Empty if a header occurs twice: two programs might read different ones. */
    private static Optional<String> only(Headers headers, String name) {
        List<String> values = headers.getOrDefault(name, List.of());
        return values.size() == 1 ? Optional.of(values.get(0)) : Optional.empty();
    }
}

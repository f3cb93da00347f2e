package dev.chatterbox.control;

import com.sun.net.httpserver.Headers;
import dev.chatterbox.processes.Loopback;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Says who may use the control service: only the live page of its own stack, opened at the address that {@code up}
 * printed. {@code Origin} is checked because the browser sets it to the page that makes a request, and no page can
 * change it. {@code Host} is checked because a foreign host name may lead to this machine (DNS rebinding), and the page
 * behind it would look like this one. The token is checked because other users of this machine have a browser, too.
 *
 * @param port of the service
 * @param pagePort of the live page
 */
record Guard(int port, int pagePort, String token) {

    /** Whether the request is for this service. Requests for what is not secret need no other check. */
    boolean isMeant(Headers headers) {
        return only(headers, "Host").filter(here("", port)::contains).isPresent();
    }

    /** The page that makes the request, if that is the live page; a preflight request (CORS) has no token yet. */
    Optional<String> origin(Headers headers) {
        return only(headers, "Origin").filter(here("http://", pagePort)::contains);
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

    /** The names by which this machine's browsers reach a port. */
    private static Set<String> here(String scheme, int port) {
        return Set.of(scheme + "localhost:" + port, scheme + Loopback.authority(port));
    }

    /** Empty if a header occurs twice: two programs might read different ones. */
    private static Optional<String> only(Headers headers, String name) {
        List<String> values = headers.getOrDefault(name, List.of());
        return values.size() == 1 ? Optional.of(values.get(0)) : Optional.empty();
    }
}

package dev.chatterbox.aggregator.web;

import dev.chatterbox.transport.CallMode;
import dev.chatterbox.transport.CallWork;
import java.util.List;
import java.util.Objects;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.springframework.http.HttpStatus;
import org.springframework.web.reactive.function.server.ServerRequest;

/** Reads the parameters of a request for squares. A wrong one is a problem with status 400. */
final class Parameters {

    /** At most nine digits, so that the number fits into an int. */
    private static final Pattern NUMBER = Pattern.compile("0|[1-9][0-9]{0,8}");

    private Parameters() {}

    /** The n of the path. */
    static int n(ServerRequest request, int most) {
        return number("n must be a whole number", request.pathVariable("n"), 1, most);
    }

    /** Whether the request has a parameter that can have only one value. */
    static boolean has(ServerRequest request, String name, String value) {
        List<String> values = request.queryParams().get(name);
        if (values != null && !values.equals(List.of(value))) {
            throw Problems.problem(HttpStatus.BAD_REQUEST, "%s can only be '%s'".formatted(name, value));
        }
        return values != null;
    }

    /** @throws org.springframework.web.ErrorResponseException 400: the request has another parameter */
    static void requireKnown(ServerRequest request, CallMode mode, List<String> names) {
        request.queryParams().forEach((name, values) -> {
            if (!names.contains(name)) {
                throw Problems.problem(
                        HttpStatus.BAD_REQUEST,
                        "There is no parameter '%s' of the call mode %s; there is: %s"
                                .formatted(name, mode.text(), String.join(", ", names)));
            }
        });
    }

    /** @param otherwise the value where the request does not have the parameter */
    static int number(ServerRequest request, String name, int least, int most, int otherwise) {
        List<String> values = request.queryParams().get(name);
        return values == null ? otherwise : number(name + " must be one whole number", join(values), least, most);
    }

    private static String join(List<String> values) {
        return values.stream().map(value -> Objects.toString(value, "")).collect(Collectors.joining(", "));
    }

    /** What each of n calls asks of its responder besides the square. */
    static CallWork work(ServerRequest request, int n) {
        List<String> burn = request.queryParams().get(CallWork.BURN);
        List<String> wait = request.queryParams().get(CallWork.WAIT);
        try {
            CallWork work = CallWork.parse(burn == null ? null : join(burn), wait == null ? null : join(wait));
            CallWork.requireTogether(n, work.burnMicros());
            return work;
        } catch (IllegalArgumentException e) {
            throw Problems.problem(HttpStatus.BAD_REQUEST, String.valueOf(e.getMessage()));
        }
    }

    /** @param required begins the error message, before the bounds */
    private static int number(String required, String text, int least, int most) {
        int number = NUMBER.matcher(text).matches() ? Integer.parseInt(text) : -1;
        if (number < least || number > most) {
            throw Problems.problem(
                    HttpStatus.BAD_REQUEST,
                    "%s from %d to %d, in plain digits without a sign or leading zeros; it is '%s'"
                            .formatted(required, least, most, text));
        }
        return number;
    }
}

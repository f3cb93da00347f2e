package dev.chatterbox.aggregator.web;

import org.springframework.beans.factory.annotation.Value;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.ParameterizedTypeReference;
import org.springframework.core.io.ClassPathResource;
import org.springframework.core.io.Resource;
import org.springframework.http.CacheControl;
import org.springframework.http.HttpHeaders;
import org.springframework.http.MediaType;
import org.springframework.http.codec.ServerSentEvent;
import org.springframework.web.reactive.function.server.RequestPredicates;
import org.springframework.web.reactive.function.server.RouterFunction;
import org.springframework.web.reactive.function.server.RouterFunctions;
import org.springframework.web.reactive.function.server.ServerResponse;

/** The live page with its files, and {@code GET /live}, which sends the samples that the page draws. */
@Configuration(proxyBeanMethods = false)
class LiveRoutes {

    private static final Resource FILES = new ClassPathResource("static/");
    private static final Resource PAGE = new ClassPathResource("static/index.html");

    /** The page consists of its own files only: a browser runs no injected code, and sends nothing to another host. */
    private static final String CONTENT_SECURITY_POLICY =
            "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'%s; "
                    + "base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

    private final String policy;

    /**
     * @param control the port of the service, on this machine, that the page may ask for load and faults; 0 for none
     */
    LiveRoutes(@Value("${chatterbox.control:0}") int control) {
        policy = CONTENT_SECURITY_POLICY.formatted(
                control == 0 ? "" : " http://localhost:%1$d http://127.0.0.1:%1$d".formatted(control));
    }

    @Bean
    RouterFunction<ServerResponse> livePage(LiveSamples samples) {
        return RouterFunctions.route()
                .resource(RequestPredicates.path("/"), PAGE, this::protect)
                .GET(
                        "/live",
                        request -> ServerResponse.ok()
                                .contentType(MediaType.TEXT_EVENT_STREAM)
                                .header(ApiRoutes.BUFFERING, "no")
                                .body(samples.events(), new ParameterizedTypeReference<ServerSentEvent<?>>() {}))
                .resources("/**", FILES, this::protect)
                .build();
    }

    /** No browser may cache a file: all files of a jar have one date, so that a new page would look unchanged. */
    private void protect(Resource file, HttpHeaders headers) {
        headers.set("Content-Security-Policy", policy);
        headers.set("X-Content-Type-Options", "nosniff");
        headers.set("Referrer-Policy", "no-referrer");
        headers.setCacheControl(CacheControl.noStore());
    }
}

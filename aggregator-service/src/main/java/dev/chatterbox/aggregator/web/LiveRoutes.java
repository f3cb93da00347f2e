package dev.chatterbox.aggregator.web;

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

/** The live page with its files, and {@code GET /live}: what it draws. */
@Configuration(proxyBeanMethods = false)
class LiveRoutes {

    private static final Resource FILES = new ClassPathResource("static/");
    private static final Resource PAGE = new ClassPathResource("static/index.html");

    /** The page is all in its own files: nothing that slips into it is run, and nothing of it leaves this host. */
    static final String CONTENT_SECURITY_POLICY =
            "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; "
                    + "base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

    @Bean
    RouterFunction<ServerResponse> livePage(LiveSamples samples) {
        return RouterFunctions.route()
                .resource(RequestPredicates.path("/"), PAGE, LiveRoutes::protect)
                .GET(
                        "/live",
                        request -> ServerResponse.ok()
                                .contentType(MediaType.TEXT_EVENT_STREAM)
                                .body(samples.events(), new ParameterizedTypeReference<ServerSentEvent<?>>() {}))
                .resources("/**", FILES, LiveRoutes::protect)
                .build();
    }

    /** Kept by no browser: a jar's files all bear one date, so that it could not tell a new page from an old one. */
    private static void protect(Resource file, HttpHeaders headers) {
        headers.set("Content-Security-Policy", CONTENT_SECURITY_POLICY);
        headers.set("X-Content-Type-Options", "nosniff");
        headers.set("Referrer-Policy", "no-referrer");
        headers.setCacheControl(CacheControl.noStore());
    }
}

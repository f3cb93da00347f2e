package dev.chatterbox.aggregator.web;

import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.ParameterizedTypeReference;
import org.springframework.core.io.ClassPathResource;
import org.springframework.core.io.Resource;
import org.springframework.http.MediaType;
import org.springframework.http.codec.ServerSentEvent;
import org.springframework.web.reactive.function.server.RouterFunction;
import org.springframework.web.reactive.function.server.RouterFunctions;
import org.springframework.web.reactive.function.server.ServerResponse;

/** The live page, and {@code GET /live}: what it draws. */
@Configuration(proxyBeanMethods = false)
class LiveRoutes {

    @Bean
    RouterFunction<ServerResponse> livePage(LiveSamples samples) {
        Resource page = new ClassPathResource("static/index.html");
        return RouterFunctions.route()
                .GET(
                        "/",
                        request -> ServerResponse.ok()
                                .contentType(MediaType.TEXT_HTML)
                                .bodyValue(page))
                .GET(
                        "/live",
                        request -> ServerResponse.ok()
                                .contentType(MediaType.TEXT_EVENT_STREAM)
                                .body(samples.events(), new ParameterizedTypeReference<ServerSentEvent<?>>() {}))
                .build();
    }
}

package dev.chatterbox.rest;

import org.springframework.boot.web.servlet.ServletRegistrationBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.http.server.reactive.HttpHandler;
import org.springframework.http.server.reactive.ServletHttpHandlerAdapter;
import org.springframework.web.reactive.function.server.RouterFunction;
import org.springframework.web.reactive.function.server.RouterFunctions;
import org.springframework.web.reactive.function.server.ServerResponse;

/** The routes of faults that every square service has, in a program without WebFlux. */
@Configuration(proxyBeanMethods = false)
public class ServletFaults {

    @Bean
    ServletRegistrationBean<ServletHttpHandlerAdapter> faults(RouterFunction<ServerResponse> faultRoutes) {
        HttpHandler routes = RouterFunctions.toHttpHandler(faultRoutes);
        // The routes are asked with their whole path; without this, what the servlet is mapped to would be cut off.
        HttpHandler whole = (request, response) ->
                routes.handle(request.mutate().contextPath("").build(), response);
        return new ServletRegistrationBean<>(new ServletHttpHandlerAdapter(whole), "/faults/*");
    }
}

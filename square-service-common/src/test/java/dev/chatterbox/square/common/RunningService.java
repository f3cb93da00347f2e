package dev.chatterbox.square.common;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.support.GenericApplicationContext;
import org.springframework.http.client.ReactorResourceFactory;

/** A square service in this JVM, on a free port, seen from outside. */
public final class RunningService implements AutoCloseable {

    private final ConfigurableApplicationContext context;

    /** @param settings as on a command line, without the two hyphens */
    public static RunningService start(Class<?> application, String... settings) {
        String[] arguments = Stream.concat(Stream.of("server.port=0"), Stream.of(settings))
                .map(setting -> "--" + setting)
                .toArray(String[]::new);
        return new RunningService(new SpringApplicationBuilder(application)
                .main(application)
                .initializers(RunningService::ownEventLoops)
                .run(arguments));
    }

    /** Several services share this JVM; one that closes would take the event loops of all, Reactor Netty's, with it. */
    private static void ownEventLoops(ConfigurableApplicationContext context) {
        ReactorResourceFactory resources = new ReactorResourceFactory();
        resources.setUseGlobalResources(false);
        resources.setShutdownQuietPeriod(Duration.ZERO);
        ((GenericApplicationContext) context).registerBean(ReactorResourceFactory.class, () -> resources);
    }

    private RunningService(ConfigurableApplicationContext context) {
        this.context = context;
    }

    /** @param path taken as it is: percent signs are the caller's */
    public URI uri(String path) {
        return URI.create("http://127.0.0.1:" + context.getEnvironment().getProperty("local.server.port") + path);
    }

    public HttpResponse<String> get(String path) {
        return send(HttpRequest.newBuilder(uri(path)).build());
    }

    /**
     * Over a connection of its own: Reactor Netty 1.3.7 stops reading one that is kept alive once in some thousand requests
     * (https://github.com/reactor/reactor-netty/issues/4361).
     */
    public HttpResponse<String> send(HttpRequest request) {
        try {
            return HttpClient.newHttpClient().send(request, HttpResponse.BodyHandlers.ofString());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    /** 200 where it can answer requests, 503 where it cannot. */
    public int health() {
        return get("/actuator/health").statusCode();
    }

    /** How many requests came to this end so far, as Prometheus sees it. */
    public int squares(String outcome) {
        Matcher line = Pattern.compile(
                        "chatterbox_squares_total\\{outcome=\"" + outcome + "\",transport=\"[\\w-]+\"} (\\S+)")
                .matcher(get("/actuator/prometheus").body());
        return line.find() ? (int) Double.parseDouble(line.group(1)) : 0;
    }

    @Override
    public void close() {
        context.close();
    }
}

package dev.chatterbox.vertx;

import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import io.vertx.core.dns.AddressResolverOptions;
import io.vertx.core.http.HttpConnection;

/** What client and responder share: Vert.x with so many event loops. Only work that a request asks for blocks them. */
final class EventLoops {

    private EventLoops() {}

    static Vertx start(int count) {
        return Vertx.vertx(new VertxOptions()
                .setEventLoopPoolSize(count)
                // Epoll where its library is on the class path.
                .setPreferNativeTransport(true)
                .setUseDaemonThread(true)
                // A name may stand for several square services (docker compose --scale, a headless Service): new
                // connections go to them in turn, by addresses that are at most 5 s old.
                .setAddressResolverOptions(new AddressResolverOptions()
                        .setRoundRobinInetAddress(true)
                        .setCacheMaxTimeToLive(5)));
    }

    /** A connection that breaks ends its requests with the error. By default it is also logged. */
    static void leaveErrorsToRequests(HttpConnection connection) {
        connection.exceptionHandler(error -> {});
    }
}

package dev.chatterbox.aggregator;

import static com.tngtech.archunit.base.DescribedPredicate.alwaysTrue;
import static com.tngtech.archunit.core.domain.JavaCall.Predicates.target;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideOutsideOfPackages;
import static com.tngtech.archunit.core.domain.properties.HasName.Predicates.nameMatching;
import static com.tngtech.archunit.core.domain.properties.HasOwner.Predicates.With.owner;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.core.importer.Location;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;
import dev.chatterbox.client.PendingClient;
import dev.chatterbox.client.SquareClient;
import dev.chatterbox.responder.ListeningResponder;
import java.util.regex.Pattern;
import org.springframework.stereotype.Component;

/** The few walls that matter, in the aggregator and in all transports. */
@AnalyzeClasses(packages = "dev.chatterbox", importOptions = ArchitectureTests.AggregatorAndTransports.class)
class ArchitectureTests {

    /** What all transports share is in these packages. */
    private static final String[] SHARED = {
        "dev.chatterbox.client..",
        "dev.chatterbox.connection..",
        "dev.chatterbox.http..",
        "dev.chatterbox.memory..",
        "dev.chatterbox.queue..",
        "dev.chatterbox.responder..",
        "dev.chatterbox.traces..",
        "dev.chatterbox.proto..",
        "dev.chatterbox.variants..",
        "dev.chatterbox.transport.."
    };

    /** The classes of this module and of every transport, from their folders or their jars. */
    static final class AggregatorAndTransports implements ImportOption {

        private static final Pattern MODULES = Pattern.compile(
                ".*(/aggregator-service/target/classes/|/transports/[a-z]+/target/(classes/|[a-z-]+[0-9.]+\\.jar)).*");

        @Override
        public boolean includes(Location location) {
            return location.matches(MODULES);
        }
    }

    /** Lists the allowed packages, because a list of forbidden ones would miss the next transport. */
    @ArchTest
    static final ArchRule onlyATransportsOwnPackageKnowsItsLibrary = noClasses()
            .that()
            .resideInAnyPackage("dev.chatterbox.aggregator..", "dev.chatterbox.client..")
            .should()
            .dependOnClassesThat(resideOutsideOfPackages(
                            "java..",
                            "com.sun.management..",
                            "dev.chatterbox.aggregator..",
                            "dev.chatterbox.client..",
                            "dev.chatterbox.connection..",
                            "dev.chatterbox.traces..",
                            "dev.chatterbox.proto..",
                            "dev.chatterbox.variants..",
                            "dev.chatterbox.transport..",
                            "org.jspecify..",
                            "org.slf4j..",
                            "org.reactivestreams..",
                            "reactor.core..",
                            // The server, whose connections the API ends.
                            "reactor.netty",
                            "reactor.netty.http.server..",
                            "io.netty.buffer..",
                            "io.netty.channel..",
                            "io.netty.handler.codec.http..",
                            "reactor.util.context..",
                            "io.micrometer..",
                            "org.HdrHistogram..",
                            "io.opentelemetry..",
                            "jakarta.annotation..",
                            // The library of the messages, which are the same over every transport.
                            "com.google.protobuf..",
                            "com.fasterxml.jackson.annotation..",
                            "tools.jackson..",
                            "org.springframework..")
                    .or(resideInAnyPackage(
                            "org.springframework.kafka..", "org.springframework.web.reactive.function.client..")));

    @ArchTest
    static final ArchRule transportsDoNotKnowEachOther = slices().matching("dev.chatterbox.(*)..")
            .should()
            .notDependOnEachOther()
            .ignoreDependency(alwaysTrue(), resideInAnyPackage(SHARED));

    @ArchTest
    static final ArchRule thereAreNoCircles =
            slices().matching("dev.chatterbox.(*)..").should().beFreeOfCycles();

    @ArchTest
    static final ArchRule thereAreNoCirclesInTheAggregator =
            slices().matching("dev.chatterbox.aggregator.(*)..").should().beFreeOfCycles();

    /** No variant names {@link PendingClient}, which the other base of clients extends. */
    @ArchTest
    static final ArchRule aClientIsNamedByItsVariantsOnly = classes()
            .that()
            .implement(SquareClient.class)
            .and()
            .areNotInterfaces()
            .and()
            .doNotBelongToAnyOf(PendingClient.class)
            .should()
            .notBeAnnotatedWith(Component.class)
            .andShould()
            .onlyHaveDependentClassesThat()
            .resideOutsideOfPackages("dev.chatterbox.aggregator..", "dev.chatterbox.client..");

    /** A responder that listens may wait for its last answers when it stops. */
    @ArchTest
    static final ArchRule nobodyBlocks = noClasses()
            .that()
            .areNotAssignableTo(ListeningResponder.class)
            .should()
            .callMethodWhere(target(owner(resideInAPackage("reactor.core.publisher..")))
                    .and(target(nameMatching("block|blockFirst|blockLast|blockOptional"))));
}

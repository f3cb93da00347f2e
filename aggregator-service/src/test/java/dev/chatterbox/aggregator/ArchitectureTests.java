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
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;
import dev.chatterbox.aggregator.client.SquareClient;
import org.springframework.stereotype.Component;

/** The few walls that matter. */
@AnalyzeClasses(packages = "dev.chatterbox.aggregator", importOptions = ImportOption.DoNotIncludeTests.class)
class ArchitectureTests {

    private static final String[] TRANSPORT_BLIND = {"..client..", "..fanout..", "..web.."};

    /** Lists the allowed packages, because a list of forbidden ones would miss the next transport's library. */
    @ArchTest
    static final ArchRule onlyATransportsOwnPackageKnowsItsLibrary = noClasses()
            .that()
            .resideInAnyPackage(TRANSPORT_BLIND)
            .should()
            .dependOnClassesThat(resideOutsideOfPackages(
                            "java..",
                            "com.sun.management..",
                            "dev.chatterbox..",
                            "org.jspecify..",
                            "org.slf4j..",
                            "org.reactivestreams..",
                            "reactor.core..",
                            "reactor.util.context..",
                            "io.micrometer..",
                            "jakarta.annotation..",
                            // The library of the messages, which are the same over every transport.
                            "com.google.protobuf..",
                            "com.fasterxml.jackson.annotation..",
                            "tools.jackson..",
                            "org.springframework..")
                    .or(resideInAnyPackage(
                            "org.springframework.kafka..", "org.springframework.web.reactive.function.client..")));

    /** What transports share is in the packages client, fanout and trace. */
    @ArchTest
    static final ArchRule transportsDoNotKnowEachOther = slices().matching("dev.chatterbox.aggregator.(*)..")
            .should()
            .notDependOnEachOther()
            .ignoreDependency(alwaysTrue(), resideInAnyPackage("..client..", "..fanout..", "..trace.."));

    /** CallLimits holds what a client needs of the fan-out's settings. */
    @ArchTest
    static final ArchRule clientsDoNotKnowTheFanOut = noClasses()
            .that()
            .resideOutsideOfPackages("..fanout..", "..web..", "dev.chatterbox.aggregator")
            .should()
            .dependOnClassesThat()
            .resideInAPackage("..fanout..");

    @ArchTest
    static final ArchRule thereAreNoCircles =
            slices().matching("dev.chatterbox.aggregator.(*)..").should().beFreeOfCycles();

    @ArchTest
    static final ArchRule aClientIsNamedByItsRowsOnly = classes()
            .that()
            .implement(SquareClient.class)
            .and()
            .areNotInterfaces()
            .should()
            .notBeAnnotatedWith(Component.class)
            .andShould()
            .onlyHaveDependentClassesThat()
            .resideOutsideOfPackages(TRANSPORT_BLIND);

    @ArchTest
    static final ArchRule nobodyBlocks = noClasses()
            .should()
            .callMethodWhere(target(owner(resideInAPackage("reactor.core.publisher..")))
                    .and(target(nameMatching("block|blockFirst|blockLast|blockOptional"))));
}

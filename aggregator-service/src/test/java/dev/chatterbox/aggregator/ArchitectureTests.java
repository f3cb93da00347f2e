package dev.chatterbox.aggregator;

import static com.tngtech.archunit.core.domain.JavaCall.Predicates.target;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
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

    @ArchTest
    static final ArchRule onlyATransportsOwnPackageKnowsItsLibrary = noClasses()
            .that()
            .resideInAnyPackage(TRANSPORT_BLIND)
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage(
                    "io.nats..",
                    "org.apache.kafka..",
                    "org.springframework.kafka..",
                    "org.springframework.web.reactive.function.client..",
                    "reactor.netty..")
            .allowEmptyShould(false);

    @ArchTest
    static final ArchRule transportsDoNotKnowEachOther =
            slices().matching("dev.chatterbox.aggregator.(*)..").should().beFreeOfCycles();

    @ArchTest
    static final ArchRule aClientIsABeanThatNobodyNames = classes()
            .that()
            .implement(SquareClient.class)
            .should()
            .beAnnotatedWith(Component.class)
            .andShould()
            .onlyHaveDependentClassesThat()
            .resideOutsideOfPackages(TRANSPORT_BLIND);

    @ArchTest
    static final ArchRule nobodyBlocks = noClasses()
            .should()
            .callMethodWhere(target(owner(resideInAPackage("reactor.core.publisher..")))
                    .and(target(nameMatching("block|blockFirst|blockLast|blockOptional"))));
}

package dev.chatterbox.cli;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;

@AnalyzeClasses(packages = "dev.chatterbox.cli", importOptions = ImportOption.DoNotIncludeTests.class)
class ArchitectureTests {

    @ArchTest
    static final ArchRule noCircles =
            slices().matching("dev.chatterbox.(**)").should().beFreeOfCycles();

    /** What starts and finds a stack could as well be called by another program. */
    @ArchTest
    static final ArchRule stackKnowsNoCommand = noClasses()
            .that()
            .resideInAPackage("dev.chatterbox.cli.stack")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage("dev.chatterbox.cli", "picocli..");

    /** A stack is made of rows; what is measured on it, and what is told of that, is the commands' business. */
    @ArchTest
    static final ArchRule stackKnowsNoResults = noClasses()
            .that()
            .resideInAPackage("dev.chatterbox.cli.stack")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage(
                    "dev.chatterbox.report..",
                    "dev.chatterbox.results..",
                    "dev.chatterbox.workloads..",
                    "tools.jackson..");

    /** Brokers are the stack's. */
    @ArchTest
    static final ArchRule commandsStartNoBroker = noClasses()
            .that()
            .resideInAPackage("dev.chatterbox.cli")
            .should()
            .dependOnClassesThat()
            .haveFullyQualifiedName("dev.chatterbox.brokers.Launch")
            .orShould()
            .dependOnClassesThat()
            .haveFullyQualifiedName("dev.chatterbox.processes.JavaCommand");
}

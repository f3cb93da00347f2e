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

    /** Only the stack starts brokers. */
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

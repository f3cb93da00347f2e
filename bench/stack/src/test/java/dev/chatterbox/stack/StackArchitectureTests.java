package dev.chatterbox.stack;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;

@AnalyzeClasses(
        packages = {"dev.chatterbox.stack", "dev.chatterbox.network"},
        importOptions = ImportOption.DoNotIncludeTests.class)
class StackArchitectureTests {

    /** A stack is made of variants. Only the commands know what is measured on it and what is reported of that. */
    @ArchTest
    static final ArchRule stackKnowsNoResults = noClasses()
            .that()
            .resideInAPackage("dev.chatterbox.stack")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage("dev.chatterbox.report..", "dev.chatterbox.results..", "dev.chatterbox.workloads..");

    /** The network knows no stack. */
    @ArchTest
    static final ArchRule noCircles =
            slices().matching("dev.chatterbox.(*)..").should().beFreeOfCycles();
}

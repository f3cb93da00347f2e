package dev.chatterbox.stack;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;
import java.util.List;

@AnalyzeClasses(
        packages = {"dev.chatterbox.stack", "dev.chatterbox.network", "dev.chatterbox.brokers"},
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

    /** What a stack consists of gets no environment but that of ChildEnvironment. */
    @ArchTest
    static final ArchRule noProcessHasTheUsersEnvironment = noClasses()
            .should()
            .callConstructor(ProcessBuilder.class, List.class)
            .orShould()
            .callConstructor(ProcessBuilder.class, String[].class);

    /** The network knows no stack. */
    @ArchTest
    static final ArchRule noCircles =
            slices().matching("dev.chatterbox.(*)..").should().beFreeOfCycles();
}

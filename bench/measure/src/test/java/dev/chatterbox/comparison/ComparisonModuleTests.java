package dev.chatterbox.comparison;

import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;

/** The module's boundaries: it knows neither the command line nor how a result is shown. */
@AnalyzeClasses(packages = "dev.chatterbox.comparison", importOptions = ImportOption.DoNotIncludeTests.class)
class ComparisonModuleTests {

    @ArchTest
    static final ArchRule knowsOnlyWhatItMeasuresAndWhatItWrites = classes()
            .should()
            .onlyDependOnClassesThat(resideInAPackage("dev.chatterbox.comparison..")
                    .or(resideInAPackage("dev.chatterbox.network"))
                    .or(resideInAPackage("dev.chatterbox.processes.."))
                    .or(resideInAPackage("dev.chatterbox.results"))
                    .or(resideInAPackage("dev.chatterbox.variants"))
                    .or(resideInAPackage("dev.chatterbox.stack"))
                    .or(resideInAPackage("dev.chatterbox.transport"))
                    .or(resideInAPackage("dev.chatterbox.workloads"))
                    .or(resideInAPackage("java.."))
                    .or(resideInAPackage("com.sun.management"))
                    .or(resideInAPackage("org.HdrHistogram"))
                    .or(resideInAPackage("org.jspecify.annotations"))
                    .or(resideInAPackage("tools.jackson..")));

    @ArchTest
    static final ArchRule hasNoCircles = slices().matching("dev.chatterbox.comparison.(*)..")
            .should()
            .beFreeOfCycles()
            .allowEmptyShould(true);
}

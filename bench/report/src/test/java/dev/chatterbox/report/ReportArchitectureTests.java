package dev.chatterbox.report;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;
import com.tngtech.archunit.library.dependencies.SliceAssignment;
import com.tngtech.archunit.library.dependencies.SliceIdentifier;

@AnalyzeClasses(packages = "dev.chatterbox.report", importOptions = ImportOption.DoNotIncludeTests.class)
class ReportArchitectureTests {

    @ArchTest
    static final ArchRule knowsOnlyWhatItTellsOf = classes()
            .should()
            .onlyDependOnClassesThat()
            .resideInAnyPackage(
                    "dev.chatterbox.report..",
                    "dev.chatterbox.results",
                    "dev.chatterbox.transport",
                    "dev.chatterbox.variants",
                    "dev.chatterbox.workloads",
                    "com.fasterxml.jackson.annotation",
                    "gg.jte..",
                    "tools.jackson..",
                    "org.jspecify..",
                    "java..");

    @ArchTest
    static final ArchRule tablesKnowNothingOfPages = noClasses()
            .that()
            .resideInAPackage("dev.chatterbox.report.tables")
            .should()
            .dependOnClassesThat()
            .resideInAPackage("dev.chatterbox.report");

    @ArchTest
    static final ArchRule onlyTemplatesKnowTheirEngine = noClasses()
            .that()
            .doNotHaveSimpleName("Templates")
            .and()
            .haveNameNotMatching(".*\\.Jte\\w+Generated.*")
            .should()
            .dependOnClassesThat()
            .resideInAPackage("gg.jte..");

    /** Nested classes belong to the class that contains them. */
    @ArchTest
    static final ArchRule noClassesDependOnEachOtherInACircle =
            slices().assignedFrom(new TopLevelClasses()).should().beFreeOfCycles();

    private static final class TopLevelClasses implements SliceAssignment {

        @Override
        public String getDescription() {
            return "top-level classes";
        }

        @Override
        public SliceIdentifier getIdentifierOf(JavaClass javaClass) {
            return javaClass.getPackageName().startsWith("dev.chatterbox.report")
                    ? SliceIdentifier.of(javaClass.getName().replaceFirst("\\$.*", ""))
                    : SliceIdentifier.ignore();
        }
    }
}

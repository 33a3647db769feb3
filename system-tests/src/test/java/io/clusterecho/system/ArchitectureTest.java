package io.clusterecho.system;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.Architectures.layeredArchitecture;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;

import org.agrona.concurrent.Agent;
import org.assertj.core.api.SoftAssertions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * Checks the rules of docs/ARCHITECTURE.md on the classes of all modules except the benchmarks. A failure prints the rule, its
 * reason, and each violation.
 */
class ArchitectureTest
{
    /** Most lines of main Java code of each module. A change may lower these, not raise them. */
    private static final Map<String, Integer> BUDGETS = Map.ofEntries(
        Map.entry("schemas", 287), Map.entry("codec", 370), Map.entry("platform", 4243), Map.entry("media", 3905),
        Map.entry("cluster-node", 7407), Map.entry("cluster-control", 8819), Map.entry("load-client", 18404),
        Map.entry("failover", 6490), Map.entry("reporting", 12154), Map.entry("peers", 4870),
        Map.entry("commands", 2363), Map.entry("attribution", 1136));

    private static JavaClasses classes;

    @BeforeAll
    static void importClasses()
    {
        classes = new ClassFileImporter().withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
            .importPackages("io.clusterecho");
        // A rule passes if it applies to no classes, so check that there are some.
        for (final String name : new String[]{
            "schema.EchoMessage", "settings.Settings", "attribution.Part", "media.driver.DriverPlan", "node.member.MemberFolder",
            "control.cluster.Cluster", "reporting.results.Verdict", "client.load.LoadAgent", "peers.Peer" })
        {
            assertThat(classes.contain("io.clusterecho." + name)).as(name).isTrue();
        }
    }

    @Test
    void shouldDependOneWay()
    {
        layeredArchitecture().consideringOnlyDependenciesInLayers()
            .layer("schemas").definedBy("io.clusterecho.schema..")
            .layer("codec").definedBy("io.clusterecho.codec..")
            .layer("platform").definedBy(
                "io.clusterecho.settings..", "io.clusterecho.host..", "io.clusterecho.platform..", "io.clusterecho.threads..",
                "io.clusterecho.statistics..", "io.clusterecho.text..", "io.clusterecho.process..")
            .layer("attribution").definedBy("io.clusterecho.attribution..")
            .layer("media").definedBy("io.clusterecho.media..")
            .layer("member").definedBy("io.clusterecho.node..")
            .layer("control").definedBy("io.clusterecho.control..")
            .layer("reporting").definedBy("io.clusterecho.reporting..")
            .layer("client").definedBy("io.clusterecho.client..")
            .layer("failover").definedBy("io.clusterecho.failover..")
            .layer("commands").definedBy("io.clusterecho.commands..")
            .layer("peers").definedBy("io.clusterecho.peers..")
            .whereLayer("schemas").mayNotAccessAnyLayer()
            .whereLayer("codec").mayNotAccessAnyLayer()
            .whereLayer("platform").mayNotAccessAnyLayer()
            .whereLayer("attribution").mayOnlyAccessLayers("schemas", "platform")
            .whereLayer("media").mayOnlyAccessLayers("platform")
            .whereLayer("reporting").mayOnlyAccessLayers("platform", "attribution")
            .whereLayer("member").mayOnlyAccessLayers("schemas", "platform", "media")
            .whereLayer("control").mayOnlyAccessLayers("schemas", "platform", "media", "member")
            .whereLayer("client").mayOnlyAccessLayers(
                "schemas", "codec", "platform", "attribution", "media", "member", "control", "reporting")
            .whereLayer("failover").mayOnlyAccessLayers(
                "schemas", "codec", "platform", "attribution", "media", "member", "control", "reporting", "client")
            .whereLayer("commands").mayOnlyBeAccessedByLayers("peers")
            .because("the measured system must not depend on code that measures, starts or breaks it")
            .check(classes);
    }

    @Test
    void shouldStayWithinBudgets() throws IOException
    {
        final SoftAssertions budgets = new SoftAssertions();
        for (final Map.Entry<String, Integer> budget : BUDGETS.entrySet())
        {
            try (Stream<Path> files = Files.walk(Path.of("..", budget.getKey(), "src/main/java")))
            {
                long lineCount = 0;
                for (final Path file : files.filter((path) -> path.toString().endsWith(".java")).toList())
                {
                    lineCount += Files.readAllLines(file).size();
                }
                System.out.printf("%s: %d of %d lines%n", budget.getKey(), lineCount, budget.getValue());
                budgets.assertThat(lineCount).as("lines of main Java of %s", budget.getKey()).isPositive()
                    .isLessThanOrEqualTo(budget.getValue());
            }
        }
        budgets.assertAll();
    }

    @Test
    void shouldHaveNoCycles()
    {
        slices().matching("io.clusterecho.(**)").should().beFreeOfCycles()
            .because("packages in a cycle can only be understood, tested and moved together")
            .check(classes);
    }

    @Test
    void shouldNotUseAeronToReadResults()
    {
        noClasses().that().resideInAnyPackage(
            "io.clusterecho.settings..", "io.clusterecho.host..", "io.clusterecho.platform..", "io.clusterecho.threads..",
            "io.clusterecho.statistics..", "io.clusterecho.text..", "io.clusterecho.process..", "io.clusterecho.attribution..",
            "io.clusterecho.reporting..")
            .should().dependOnClassesThat().resideInAPackage("io.aeron..")
            .because("machine facts and results of other versions must be readable without a media driver")
            .check(classes);
    }

    @Test
    void shouldNotBlockAgents()
    {
        noClasses().that().implement(Agent.class)
            .should().callMethod(Thread.class, "sleep", long.class)
            .orShould().callMethod(TimeUnit.class, "sleep", long.class)
            .orShould().callMethod(LockSupport.class, "park")
            .orShould().callMethod(LockSupport.class, "parkNanos", long.class)
            .orShould().dependOnClassesThat().resideInAPackage("java.util.concurrent.locks")
            .because("an agent shares its thread with others, its duty cycle is part of each response time, and its runner " +
                "chooses the idle strategy")
            .check(classes);
    }

    @Test
    void shouldReadOptionsInCommandsOnly()
    {
        noClasses().that().resideOutsideOfPackages("..command..", "io.clusterecho.commands", "io.clusterecho.control")
            .and().haveNameNotMatching(".*Command")
            .should().dependOnClassesThat().resideInAPackage("picocli..")
            .because("logic must be callable and testable without a command line")
            .check(classes);
    }

    @Test
    void shouldHaveNoLogicInCommands()
    {
        noClasses().that().resideInAPackage("io.clusterecho.commands..")
            .should().dependOnClassesThat().resideInAnyPackage(
                "io.aeron..", "org.agrona..", "org.HdrHistogram..", "com.fasterxml.jackson..", "java.nio.channels..",
                "java.util.concurrent.atomic..", "java.util.concurrent.locks..", "io.clusterecho.client.record..",
                "io.clusterecho.reporting.measurement..", "io.clusterecho.reporting.evidence..")
            .orShould().dependOnClassesThat().areAssignableTo(Thread.class)
            .because("a command only reads options and calls, so that other callers get the same result")
            .check(classes);
    }

    @Test
    void shouldNameEveryPackageInTheDocument() throws IOException
    {
        final String document = Files.readString(Path.of("../docs/ARCHITECTURE.md"));
        // gRPC and SBE classes are generated; the packages of the peers are in the row of the module.
        assertThat(classes.stream().filter((type) -> !"package-info".equals(type.getSimpleName()))
            .map((type) -> type.getPackageName().replace("io.clusterecho.", ""))
            .filter((name) -> !name.startsWith("peers.") && !name.startsWith("schema."))
            .filter((name) -> !document.contains('`' + name + '`')).distinct()).isEmpty();
    }
}

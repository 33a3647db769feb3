package io.clusterecho.system;

import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.Architectures.layeredArchitecture;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;

import org.agrona.concurrent.Agent;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * Checks the rules of docs/ARCHITECTURE.md on the classes of all modules but the benchmarks. A failure prints the rule,
 * its reason, and each dependency that breaks it.
 */
class ArchitectureTest
{
    private static final String FAILOVER = "io.clusterecho.client.failover..";
    private static final String AUDIT = "io.clusterecho.client.audit..";

    private static JavaClasses classes;

    @BeforeAll
    static void importClasses()
    {
        classes = new ClassFileImporter().withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
            .importPackages("io.clusterecho");
        // A rule over no classes holds.
        for (final String name : new String[]{
            "schema.EchoMessage", "settings.Settings", "media.driver.DriverPlan", "node.member.Member",
            "control.cluster.LocalCluster", "client.load.LoadAgent", "peers.Peer" })
        {
            assertThat(classes.contain("io.clusterecho." + name)).as(name).isTrue();
        }
    }

    @Test
    void shouldDependOneWay()
    {
        layeredArchitecture().consideringOnlyDependenciesInLayers()
            .layer("schemas").definedBy("io.clusterecho.schema..")
            .layer("platform").definedBy(
                "io.clusterecho.settings..", "io.clusterecho.host..", "io.clusterecho.platform..", "io.clusterecho.threads..")
            .layer("media").definedBy("io.clusterecho.media..")
            .layer("member").definedBy("io.clusterecho.node..")
            .layer("control").definedBy("io.clusterecho.control..")
            .layer("client").definedBy(resideInAPackage("io.clusterecho.client..").and(not(resideInAnyPackage(
                "io.clusterecho.client", "io.clusterecho.client.command..", FAILOVER, AUDIT))))
            .layer("failover").definedBy(FAILOVER, AUDIT)
            .layer("commands").definedBy("io.clusterecho.client", "io.clusterecho.client.command..")
            .layer("peers").definedBy("io.clusterecho.peers..")
            .whereLayer("schemas").mayNotAccessAnyLayer()
            .whereLayer("platform").mayNotAccessAnyLayer()
            .whereLayer("media").mayOnlyAccessLayers("platform")
            .whereLayer("member").mayOnlyAccessLayers("schemas", "platform", "media")
            .whereLayer("control").mayOnlyAccessLayers("schemas", "platform", "media", "member")
            .whereLayer("client").mayOnlyAccessLayers("schemas", "platform", "media", "member", "control")
            .whereLayer("failover").mayOnlyAccessLayers("schemas", "platform", "media", "member", "control", "client")
            .whereLayer("commands").mayOnlyBeAccessedByLayers("peers")
            .because("what is measured must not know what measures it, nor the hands that start and break it")
            .check(classes);
    }

    @Test
    void shouldHaveNoCycles()
    {
        slices().matching("io.clusterecho.(**)").should().beFreeOfCycles()
            .because("a package in a cycle can be understood, tested and moved only with all others of it")
            .check(classes);
    }

    @Test
    void shouldKeepAeronOutOfWhatReadsResults()
    {
        noClasses().that().resideInAnyPackage(
            "io.clusterecho.settings..", "io.clusterecho.host..", "io.clusterecho.platform..", "io.clusterecho.threads..",
            "io.clusterecho.client.results..", "io.clusterecho.client.report..", "io.clusterecho.client.compare..",
            "io.clusterecho.client.diagnosis..", "io.clusterecho.client.foreign..")
            .should().dependOnClassesThat().resideInAPackage("io.aeron..")
            .because("facts of the machine and results of other versions are read without a media driver")
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
            .because("an agent shares its thread with others, and its duty cycle is part of each response time; how it " +
                "idles is its runner's choice")
            .check(classes);
    }

    @Test
    void shouldReadOptionsInCommandsOnly()
    {
        noClasses().that().resideOutsideOfPackages("..command..", "io.clusterecho.control")
            .and().haveNameNotMatching(".*(Command|WorkloadOptions)")
            .should().dependOnClassesThat().resideInAPackage("picocli..")
            .because("whatever does something can be called, and tested, without a command line")
            .check(classes);
    }
}

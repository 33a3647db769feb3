package io.clusterecho.system;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;

import io.clusterecho.node.service.Mutation;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Finds one mutated message among more than a million. */
@Tag("fault")
class MutationInAMillionIT
{
    private static final int INTERVAL = 1_000_000;

    @RegisterExtension
    private final EchoCluster cluster = Mutants.cluster();

    @TempDir
    private Path folder;

    @Test
    void shouldFindNothingWrongWithCorrectMembers() throws IOException
    {
        final Mutants mutants = new Mutants(cluster, folder);
        run(mutants);

        mutants.assertAccountsAreClean();
        mutants.assertAuditNamesTheMutants();
    }

    @ParameterizedTest
    @CsvSource({
        "DROP,    CORRUPT, unanswered, without a reply",
        "REPEAT,  REORDER, duplicates, duplicate replies",
        "REORDER, DROP,    outOfOrder, out of order",
        "CORRUPT, REPEAT,  corrupt,    corrupt replies" })
    void shouldFindTheOneInAMillion(
        final Mutation leader, final Mutation follower, final String counter, final String reason) throws IOException
    {
        final Mutants mutants = new Mutants(cluster, folder).member(Mutants.LEADER, leader).member(1, follower);
        run(mutants);

        assertThat(mutants.counted(counter)).isEqualTo(1);
        mutants.assertRunFailedFor(reason);
        mutants.assertAuditNamesTheMutants();
    }

    @Test
    void shouldFindTheOneReplyInAMillionThatDiffersFromTheAppliedMessage() throws IOException
    {
        final Mutants mutants = new Mutants(cluster, folder).member(Mutants.LEADER, Mutation.CORRUPT_REPLY);
        run(mutants);

        assertThat(mutants.counted("corrupt")).isEqualTo(1);
        mutants.assertRunFailedFor("corrupt replies");
        mutants.assertAuditNamesTheMutants();
    }

    private static void run(final Mutants mutants) throws IOException
    {
        mutants.run(INTERVAL, "--rate=30k", "--size=32", "--duration=40s", "--drain-timeout=90s");
        assertThat(mutants.counted("answered") + mutants.counted("late")).isGreaterThan(INTERVAL);
    }
}

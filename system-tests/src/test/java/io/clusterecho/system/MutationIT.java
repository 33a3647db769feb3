package io.clusterecho.system;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;

import io.clusterecho.node.service.Mutation;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * The judge is judged: members that deal wrongly with one message in a thousand are caught by what the tool prints anyway.
 */
class MutationIT
{
    private static final int INTERVAL = 1_000;
    private static final String[] LOAD = { "--rate", "1500", "--size", "288", "--duration", "3s" };

    @RegisterExtension
    private final EchoCluster cluster = new EchoCluster(3).with("aeron.cluster.appointed.leader.id", "0");

    @TempDir
    private Path folder;

    @Test
    void shouldFindNothingWrongWithMembersThatDoAsTheyShould() throws IOException
    {
        final Mutants mutants = new Mutants(cluster, folder);
        mutants.run(Mutation.NONE, Mutation.NONE, INTERVAL, LOAD);

        mutants.assertAccountsAreClean();
        mutants.assertAuditNamesTheMutants();
    }

    @ParameterizedTest
    @CsvSource({
        "DROP,          CORRUPT, unanswered, without a reply",
        "REPEAT,        REORDER, duplicates, duplicate replies",
        "REORDER,       DROP,    outOfOrder, out of order",
        "CORRUPT,       REPEAT,  corrupt,    corrupt replies",
        "CORRUPT_REPLY, NONE,    corrupt,    corrupt replies" })
    void shouldCatchWhatAMemberDoesWrong(
        final Mutation leader, final Mutation follower, final String counter, final String reason) throws IOException
    {
        final Mutants mutants = new Mutants(cluster, folder);
        mutants.run(leader, follower, INTERVAL, LOAD);

        mutants.assertRunFailedFor(reason);
        assertThat(mutants.counted(counter)).isEqualTo(mutants.mutantsOf(Mutants.LEADER).size());
        mutants.assertAuditNamesTheMutants();
    }

    @ParameterizedTest
    @CsvSource({ "DROP, REORDER", "REORDER, DROP" })
    void shouldCatchWhatAClientMakesGoodBySendingAgain(final Mutation leader, final Mutation follower) throws IOException
    {
        final Mutants mutants = new Mutants(cluster, folder);
        final String[] load = java.util.Arrays.copyOf(LOAD, LOAD.length + 1);
        load[LOAD.length] = "--delivery=exactly-once";
        mutants.run(leader, follower, INTERVAL, load);

        mutants.assertRunFailedFor("neither leader nor session changed");
        assertThat(mutants.counted("unanswered")).isZero();
        assertThat(mutants.counted("gaps")).isPositive();
        mutants.assertAuditNamesTheMutants();
    }
}

package io.clusterecho.system;

import static io.clusterecho.node.service.Mutation.CORRUPT;
import static io.clusterecho.node.service.Mutation.CORRUPT_REPLY;
import static io.clusterecho.node.service.Mutation.DROP;
import static io.clusterecho.node.service.Mutation.REORDER;
import static io.clusterecho.node.service.Mutation.REPEAT;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/**
 * Tests the tool on members that mutate one message in a thousand: its normal output must reveal them. Errors of the leader show
 * in the client's accounts, errors of any member in its state. The kinds of errors share clusters here;
 * {@link MutationInAMillionIT} has a cluster for each.
 */
@Tag("slow")
class MutationIT
{
    private static final int INTERVAL = 1_000;
    private static final int FOLLOWER = 1;
    private static final int OTHER_FOLLOWER = 2;

    @RegisterExtension
    private final EchoCluster cluster = Mutants.cluster();

    @TempDir
    private Path folder;

    @Test
    void shouldFindNothingWrongWithCorrectMembers() throws IOException
    {
        final Mutants mutants = new Mutants(cluster, folder);
        run(mutants, "--drain-timeout=60s");

        mutants.assertAccountsAreClean();
        mutants.assertAuditNamesTheMutants();
    }

    @Tag("matrix-36")
    @Test
    void shouldFindErrorsOfMembers() throws IOException
    {
        final Mutants mutants = new Mutants(cluster, folder)
            .member(Mutants.LEADER, DROP, REPEAT, REORDER, CORRUPT, CORRUPT_REPLY)
            .member(FOLLOWER, REPEAT)
            .member(OTHER_FOLLOWER, DROP);
        // The drain runs into its timeout, because some replies never come.
        run(mutants, "--drain-timeout=10s");

        mutants.assertRunFailedFor("without a reply");
        mutants.assertRunFailedFor("duplicate replies");
        mutants.assertRunFailedFor("out of order");
        mutants.assertRunFailedFor("corrupt replies");
        final long corrupted = mutants.made(CORRUPT) + mutants.made(CORRUPT_REPLY);
        assertThat(mutants.counted("unanswered")).isEqualTo(mutants.made(DROP) + corrupted);
        assertThat(mutants.counted("duplicates")).isEqualTo(mutants.made(REPEAT));
        assertThat(mutants.counted("outOfOrder")).isEqualTo(mutants.made(REORDER));
        assertThat(mutants.counted("corrupt")).isEqualTo(corrupted);
        mutants.assertAuditNamesTheMutants();
    }

    @Tag("matrix-36")
    @Test
    void shouldFindErrorsThatTheClientCorrectsByResending() throws IOException
    {
        final Mutants mutants = new Mutants(cluster, folder)
            .member(Mutants.LEADER, DROP, REORDER)
            .member(FOLLOWER, REORDER)
            .member(OTHER_FOLLOWER, CORRUPT);
        run(mutants, "--delivery=exactly-once", "--drain-timeout=60s");

        mutants.assertRunFailedFor("neither leader nor session changed");
        assertThat(mutants.counted("unanswered")).isZero();
        assertThat(mutants.counted("gaps")).isPositive();
        mutants.assertAuditNamesTheMutants();
    }

    private static void run(final Mutants mutants, final String... options) throws IOException
    {
        final String[] all = Arrays.copyOf(options, options.length + 3);
        System.arraycopy(new String[]{ "--rate=1000", "--size=288", "--duration=6s" }, 0, all, options.length, 3);
        mutants.run(INTERVAL, all);
    }
}

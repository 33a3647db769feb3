package io.clusterecho.system;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;

import io.clusterecho.control.member.CallFault;
import io.clusterecho.control.member.CallFault.Kind;
import io.clusterecho.control.member.ClusterMember;
import io.clusterecho.control.member.ControlFailure;
import io.clusterecho.control.member.Deadline;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** Members whose system calls are slow, wait or fail. */
class CallFaultIT
{
    private static final long DELAY_NS = 5_000_000L;
    private static final long END_TIMEOUT_NS = 60_000_000_000L;
    private static final int OUT_OF_STORAGE = 4;

    @RegisterExtension
    private final EchoCluster cluster = new EchoCluster(3);

    @TempDir
    private Path folder;

    @Tag("matrix-25")
    @Tag("slow")
    @Test
    void shouldServeWithSlowDisks() throws IOException, InterruptedException
    {
        start();
        for (final ClusterMember member : cluster.members())
        {
            member.calls(new CallFault(Kind.SLOW_WRITE, DELAY_NS));
            member.calls(new CallFault(Kind.SLOW_SYNC, DELAY_NS));
        }
        cluster.awaitEchoes();
        for (final ClusterMember member : cluster.members())
        {
            assertThat(count(member, Kind.SLOW_WRITE)).isPositive();
            assertThat(count(member, Kind.SLOW_SYNC)).isPositive();
            member.releaseCalls();
        }
        cluster.awaitEchoes();
    }

    @Tag("fault")
    @Test
    void shouldEndAMemberWithoutSpaceAndServeWithoutIt() throws IOException, InterruptedException
    {
        start();
        final ClusterMember leader = cluster.awaitLeader();
        leader.calls(new CallFault(Kind.NO_SPACE, 0));
        assertThat(leader.awaitExit(END_TIMEOUT_NS)).isTrue();
        assertThat(leader.exitCode()).hasValue(OUT_OF_STORAGE);
        leader.cleanUp();
        leader.start();
        cluster.awaitEchoes();
    }

    @Tag("fault")
    @Test
    void shouldContinueAfterAStall() throws IOException, InterruptedException
    {
        start();
        final ClusterMember follower = cluster.follower();
        follower.calls(CallFault.of(Kind.STALL));
        assertThat(Deadline.in(END_TIMEOUT_NS).await(() -> count(follower, Kind.STALL) > 0)).isTrue();
        follower.releaseCalls();
        cluster.awaitEchoes();
    }

    @Tag("fault")
    @Test
    void shouldRefuseFaultsOfMembersWithoutTheLibrary()
    {
        cluster.start();
        final ClusterMember leader = cluster.awaitLeader();
        assertThatThrownBy(() -> leader.calls(CallFault.of(Kind.STALL))).isInstanceOf(ControlFailure.class)
            .hasMessageContaining("member " + leader.memberId() + " has no fault library")
            .hasMessageContaining("echo.fault.library");
    }

    private void start() throws IOException, InterruptedException
    {
        cluster.with("echo.fsync", "1").with("echo.fault.library", FaultLibrary.builtIn(folder)).start();
    }

    /** Number of calls that a kind of fault has changed since the member started, by the layout in fault-library.c. */
    private static long count(final ClusterMember member, final Kind kind)
    {
        try
        {
            final byte[] file = Files.readAllBytes(member.dir().resolve("call-faults.dat"));
            return ByteBuffer.wrap(file).order(ByteOrder.nativeOrder()).getLong(72 + 16 * kind.ordinal());
        }
        catch (final IOException ex)
        {
            throw new UncheckedIOException(ex);
        }
    }
}

package io.clusterecho.node.member;

import java.io.IOException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

import io.aeron.archive.Archive;
import io.aeron.archive.ArchiveThreadingMode;
import io.aeron.archive.client.AeronArchive;
import io.aeron.archive.client.ReplicationParams;
import io.aeron.archive.codecs.RecordingSignal;
import io.aeron.cluster.RecordingLog;
import io.aeron.driver.MediaDriver;
import io.aeron.driver.ThreadingMode;
import io.aeron.exceptions.TimeoutException;

import io.clusterecho.media.driver.Driver;
import io.clusterecho.media.driver.DriverLauncher;
import io.clusterecho.media.driver.DriverPlan;
import io.clusterecho.media.link.SocketWatch;

import org.agrona.IoUtil;

/**
 * Gives an empty member log and snapshot, before its consensus module is launched. Aeron Cluster replicates the log of a leader
 * to a member without one, but no snapshot, so after a purge of the leader's log such a member never joins.
 * <p>
 * The archive of this member replicates the recordings from that of another member. The recording log that names them is
 * written last, and the {@link MemberSeed} deleted after it: a start that ends in between begins again. One thread.
 */
final class Seeding
{
    /** Without progress of the copy. */
    private static final long TIMEOUT_NS = TimeUnit.SECONDS.toNanos(30);
    private static final long POLL_NS = TimeUnit.MILLISECONDS.toNanos(5);
    private static final int FILE_SYNC_LEVEL = 2;

    private final MemberContexts contexts;
    private long replicationId;
    private long recordingId;
    private boolean isEnded;

    Seeding(final MemberContexts contexts)
    {
        this.contexts = contexts;
    }

    /** Copy, if a command asked for it; returns the length of the log that was copied, or -1 without a request. */
    long run() throws IOException
    {
        final MemberFolder folder = contexts.folder;
        if (!MemberSeed.isIn(folder.dir()))
        {
            return -1;
        }

        final MemberSeed seed = MemberSeed.read(folder.dir());
        IoUtil.delete(folder.archiveDir().toFile(), true);
        IoUtil.delete(folder.clusterDir().toFile(), true);
        MemberFolder.makePrivate(folder.archiveDir());
        MemberFolder.makePrivate(folder.clusterDir());
        final DriverLauncher own = contexts.driverLauncher;
        // Nothing drives the embedded driver while the member copies.
        final DriverLauncher launcher = !own.plan().isEmbedded() ? own :
            new DriverLauncher(DriverPlan.JAVA, own.idle(), own.log(), own.onEnd());
        final MediaDriver.Context driverContext = contexts.driver(SocketWatch.NONE).threadingMode(ThreadingMode.SHARED);
        final Archive.Context archiveContext = contexts.archive().threadingMode(ArchiveThreadingMode.SHARED);
        try (Driver ignore = contexts.launchDriver(launcher, driverContext);
            Archive ignored = Archive.launch(archiveContext);
            AeronArchive archive = AeronArchive.connect(
                ArchiveAccess.ofCommand(contexts.config).recordingSignalConsumer(
                (controlSessionId, correlationId, id, subscriptionId, position, signal) -> onSignal(correlationId, id, signal))))
        {
            copy(seed, archive);
        }
        MemberSeed.delete(folder.dir());
        return seed.logPosition();
    }

    private void copy(final MemberSeed seed, final AeronArchive archive)
    {
        final long[] partIds = new long[seed.parts().size()];
        for (int i = 0; i < partIds.length; i++)
        {
            partIds[i] = replicate(archive, seed, seed.parts().get(i).recordingId(), AeronArchive.NULL_POSITION);
        }
        final long logId = replicate(archive, seed, seed.logRecordingId(), seed.logPosition());
        final long end = archive.getStopPosition(logId);
        if (end != seed.logPosition())
        {
            throw new IllegalStateException("the copy of the log ends at " + end + ", not at " + seed.logPosition());
        }

        try (RecordingLog log = new RecordingLog(contexts.folder.clusterDir().toFile(), true))
        {
            seed.terms().forEach((term) -> log.appendTerm(logId, term.id(), term.basePosition(), term.timestamp()));
            for (int i = 0; i < partIds.length; i++)
            {
                final MemberSeed.Part part = seed.parts().get(i);
                log.appendSnapshot(
                    partIds[i], part.termId(), part.basePosition(), seed.logPosition(), part.timestamp(), part.serviceId());
            }
            log.force(FILE_SYNC_LEVEL);
        }
    }

    private long replicate(
        final AeronArchive archive, final MemberSeed seed, final long sourceId, final long stopPosition)
    {
        isEnded = false;
        recordingId = AeronArchive.NULL_POSITION;
        replicationId = archive.replicate(
            sourceId, AeronArchive.Configuration.controlStreamId(),
            "aeron:udp?endpoint=" + seed.archiveEndpoint() + "|term-length=" + RoomNeeded.CONTROL_TERM_LENGTH + "|mtu=" +
            contexts.config.controlMtuLength(), new ReplicationParams().stopPosition(stopPosition));
        long progressNs = System.nanoTime();
        long progress = -1;
        while (!isEnded)
        {
            archive.pollForRecordingSignals();
            archive.checkForErrorResponse();
            final long nowNs = System.nanoTime();
            final long position = recordingId >= 0 ? archive.getRecordingPosition(recordingId) : -1;
            if (position > progress)
            {
                progress = position;
                progressNs = nowNs;
            }
            else if (nowNs - progressNs > TIMEOUT_NS)
            {
                throw new TimeoutException(
                    "the archive at " + seed.archiveEndpoint() + " sent nothing of recording " + sourceId + " for " +
                    TimeUnit.NANOSECONDS.toSeconds(TIMEOUT_NS) + " s, after position " + progress);
            }
            LockSupport.parkNanos(POLL_NS);
        }

        return recordingId;
    }

    private void onSignal(final long correlationId, final long id, final RecordingSignal signal)
    {
        if (correlationId == replicationId)
        {
            recordingId = id >= 0 ? id : recordingId;
            isEnded |= RecordingSignal.REPLICATE_END == signal;
        }
    }
}

package io.clusterecho.node.stage;

import org.agrona.DirectBuffer;
import org.agrona.concurrent.NanoClock;
import org.agrona.concurrent.SystemNanoClock;
import org.agrona.concurrent.UnsafeBuffer;

import io.clusterecho.host.MonotonicClock;
import io.clusterecho.schema.codecs.MessageHeaderEncoder;
import io.clusterecho.schema.codecs.StageTimesEncoder;

/** Records when this member, as the leader, had a message at each stage. For the thread of the service; does not allocate. */
public final class StageStamps
{
    private static final long UNKNOWN = StageTimesEncoder.loggedNullValue();

    private final StageClock clusterClock;
    private final LogWatch watch;
    private final NanoClock clock;
    private final long clockId;
    private final MessageHeaderEncoder header = new MessageHeaderEncoder();
    private final StageTimesEncoder times = new StageTimesEncoder();
    private final UnsafeBuffer buffer =
        new UnsafeBuffer(new byte[MessageHeaderEncoder.ENCODED_LENGTH + StageTimesEncoder.BLOCK_LENGTH]);

    /** Stamps of a member, by the clock of its log. */
    public StageStamps(final StageClock clusterClock, final LogWatch watch)
    {
        this(clusterClock, watch, SystemNanoClock.INSTANCE, MonotonicClock.id());
    }

    StageStamps(final StageClock clusterClock, final LogWatch watch, final NanoClock clock, final long clockId)
    {
        this.clusterClock = clusterClock;
        this.watch = watch;
        this.clock = clock;
        this.clockId = clockId;
    }

    /**
     * Stamp a message that the service receives now, by the end of its entry and the session of the leader's log; returns a
     * complete StageTimes message, valid until the next call.
     */
    public DirectBuffer of(final long timestamp, final long logPosition, final int logSessionId)
    {
        final long servedNs = clock.nanoTime();
        final LogWatch.LogTimes log = watch.times(logSessionId);
        // Both are read for each message, so that they keep pace.
        final long committedNs = null == log ? UNKNOWN : notAfter(servedNs, log.committed.timeNs(logPosition));
        final long loggedNs = null == log ? UNKNOWN : notAfter(committedNs, log.logged.timeNs(logPosition));
        times.wrapAndApplyHeader(buffer, 0, header)
            .clock(clockId)
            .taken(clusterClock.nanoTime(timestamp))
            .logged(loggedNs)
            .committed(committedNs)
            .served(servedNs);
        return buffer;
    }

    /**
     * The position is sampled after a turn of the consensus module: with separate threads, the service may read an entry before
     * the sample is taken.
     */
    private static long notAfter(final long limitNs, final long timeNs)
    {
        return PositionTimes.NOT_YET == timeNs ? limitNs : timeNs;
    }
}

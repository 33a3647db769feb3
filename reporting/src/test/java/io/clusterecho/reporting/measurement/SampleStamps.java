package io.clusterecho.reporting.measurement;

import io.clusterecho.attribution.StageStamps;
import io.clusterecho.host.MonotonicClock;
import io.clusterecho.schema.codecs.MessageHeaderEncoder;
import io.clusterecho.schema.codecs.StageTimesEncoder;

import org.agrona.concurrent.UnsafeBuffer;

/** Times at which a leader had a message in each stage. */
public final class SampleStamps
{
    /** By the clock of this process or by another one. */
    public static StageStamps of(
        final boolean isSameClock, final long takenNs, final long loggedNs, final long committedNs, final long servedNs)
    {
        final UnsafeBuffer mark = new UnsafeBuffer(new byte[StageStamps.LENGTH]);
        new StageTimesEncoder().wrapAndApplyHeader(mark, 0, new MessageHeaderEncoder())
            .clock(MonotonicClock.id() + (isSameClock ? 0 : 1))
            .taken(takenNs).logged(loggedNs).committed(committedNs).served(servedNs);
        final StageStamps stamps = new StageStamps();
        stamps.read(mark, 0, 0);
        return stamps;
    }
}

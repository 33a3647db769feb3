package io.clusterecho.control.member;

import java.util.HashMap;
import java.util.LongSummaryStatistics;
import java.util.Map;

import io.aeron.Aeron;
import io.aeron.AeronCounters;
import io.aeron.cluster.ConsensusModule;

import org.agrona.concurrent.status.CountersReader;

/** Values of a driver's counters at one moment, by type. Of recordings, only the log's counts: snapshots are recorded too. */
final class CounterValues
{
    private static final String LOG_STREAM_ID = String.valueOf(ConsensusModule.Configuration.logStreamId());
    private static final int RECORDING_LABEL_STREAM_INDEX = 3;

    private final Map<Integer, LongSummaryStatistics> byType = new HashMap<>();

    CounterValues(final CountersReader counters)
    {
        counters.forEach((id, typeId, key, label) ->
        {
            if (AeronCounters.ARCHIVE_RECORDING_POSITION_TYPE_ID != typeId || isLogRecording(label))
            {
                byType.computeIfAbsent(typeId, (ignored) -> new LongSummaryStatistics())
                    .accept(counters.getCounterValue(id));
            }
        });
    }

    /** Value of the counter of a type, the highest of several; -1 if there is none. */
    long of(final int typeId)
    {
        return byType.containsKey(typeId) ? byType.get(typeId).getMax() : Aeron.NULL_VALUE;
    }

    /** Number of counters of a type. */
    int count(final int typeId)
    {
        return byType.containsKey(typeId) ? (int)byType.get(typeId).getCount() : 0;
    }

    /** Whether a recording is that of the log, by the label {@code rec-pos: recording-id session-id stream-id channel ...}. */
    static boolean isLogRecording(final String label)
    {
        final String[] words = label.split(" ");
        return words.length > RECORDING_LABEL_STREAM_INDEX && words[RECORDING_LABEL_STREAM_INDEX].equals(LOG_STREAM_ID);
    }
}

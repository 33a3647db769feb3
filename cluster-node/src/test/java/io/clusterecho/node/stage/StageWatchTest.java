package io.clusterecho.node.stage;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;

import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import org.agrona.concurrent.status.CountersManager;
import org.agrona.concurrent.status.CountersReader;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import io.aeron.archive.status.RecordingPos;
import io.aeron.cluster.service.ClusteredServiceContainer;
import io.clusterecho.schema.codecs.MessageHeaderDecoder;
import io.clusterecho.schema.codecs.StageTimesDecoder;

/** Counters like those of archive and consensus module, on a manual clock. */
class StageWatchTest
{
    private static final int CLUSTER_ID = 3;
    private static final int LOG_SESSION_ID = -77;
    private static final long CLOCK_ID = 9;
    /** In the key of a recording position, after the recording id. */
    private static final int SESSION_ID_OFFSET = Long.BYTES;
    private static final long UNKNOWN = StageTimesDecoder.loggedNullValue();

    private final CountersManager counters = new CountersManager(
        new UnsafeBuffer(ByteBuffer.allocateDirect(16 * CountersReader.METADATA_LENGTH)),
        new UnsafeBuffer(ByteBuffer.allocateDirect(16 * CountersReader.COUNTER_LENGTH)));
    private final int committedId = counters.allocate(
        "commit-pos", ClusteredServiceContainer.Configuration.COMMIT_POSITION_TYPE_ID, (key) -> key.putInt(0, CLUSTER_ID));
    private final int loggedId = recording(LOG_SESSION_ID);
    private long nowNs = 1_000;
    private final StageWatch watch = new StageWatch(CLUSTER_ID, this::nanoTime, CLOCK_ID);
    /** What another thread does after the clock was read. */
    private Runnable meanwhile = () -> { };
    private int next;
    private boolean isReadable = true;

    @BeforeEach
    void showCounters()
    {
        watch.counters(() -> isReadable ? counters : null);
    }

    @Test
    void shouldReportEachStageOfAMessage()
    {
        begin();
        look(2_000, 640, 512);
        look(3_000, 640, 640);
        look(4_000, 1_024, 640);

        assertStages(5_000, 576, 2_000, 3_000);
        assertStages(6_000, 640, 2_000, 3_000);
        look(7_000, 1_024, 1_024);
        assertStages(8_000, 1_024, 4_000, 7_000);
    }

    @Test
    void shouldCountAsCommittedWhatTheServiceReadsBeforeTheSample()
    {
        begin();
        look(2_000, 640, 512);
        assertStages(3_000, 640, 2_000, 3_000);
        assertStages(4_000, 704, 4_000, 4_000);
    }

    @Test
    void shouldCountAsCommittedWhenItIsServedWhatIsSampledMeanwhile()
    {
        begin();
        meanwhile = () -> look(3_100, 640, 640);
        assertStages(3_000, 640, 3_000, 3_000);
        look(4_000, 704, 640);
        meanwhile = () -> look(5_100, 704, 704);
        assertStages(5_000, 704, 4_000, 5_000);
    }

    @Test
    void shouldReportNothingCommittedBeforeItsFirstSample()
    {
        assertStages(1_000, 256, UNKNOWN, UNKNOWN);
        look(2_000, 512, 512);
        assertStages(3_000, 512, UNKNOWN, UNKNOWN);
    }

    @Test
    void shouldStartAgainWithTheLogOfTheNextTerm()
    {
        begin();
        look(2_000, 640, 640);
        counters.free(loggedId);
        final int nextId = recording(LOG_SESSION_ID + 1);
        counters.setCounterValue(nextId, 640);
        assertThat(stages(LOG_SESSION_ID + 1, 640).committed()).isEqualTo(UNKNOWN);
        watch.sample();
        nowNs = 3_000;
        counters.setCounterValue(nextId, 768);
        counters.setCounterValue(committedId, 768);
        watch.sample();
        nowNs = 4_000;

        final StageTimesDecoder stages = stages(LOG_SESSION_ID + 1, 768);
        assertThat(stages.logged()).isEqualTo(3_000);
        assertThat(stages.committed()).isEqualTo(3_000);
    }

    @Test
    void shouldNotReadCountersThatAreGone()
    {
        begin();
        isReadable = false;
        look(2_000, 640, 640);

        assertStages(3_000, 640, 3_000, 3_000);
    }

    @Test
    void shouldReportNothingIfTheLogIsNotRecorded()
    {
        counters.free(loggedId);
        begin();
        look(2_000, 0, 640);
        assertStages(3_000, 640, UNKNOWN, UNKNOWN);
    }

    private long nanoTime()
    {
        final long timeNs = nowNs;
        final Runnable now = meanwhile;
        meanwhile = () -> { };
        now.run();
        return timeNs;
    }

    private void begin()
    {
        counters.setCounterValue(loggedId, 512);
        counters.setCounterValue(committedId, 512);
        stages(LOG_SESSION_ID, 512);
        watch.sample();
    }

    private void look(final long timeNs, final long logged, final long committed)
    {
        nowNs = timeNs;
        counters.setCounterValue(loggedId, logged);
        counters.setCounterValue(committedId, committed);
        watch.sample();
    }

    private void assertStages(final long servedNs, final long position, final long loggedNs, final long committedNs)
    {
        nowNs = servedNs;
        final StageTimesDecoder stages = stages(LOG_SESSION_ID, position);
        assertThat(stages.clock()).isEqualTo(CLOCK_ID);
        assertThat(stages.taken()).isEqualTo(500);
        assertThat(stages.logged()).isEqualTo(loggedNs);
        assertThat(stages.committed()).isEqualTo(committedNs);
        assertThat(stages.served()).isEqualTo(servedNs);
    }

    private StageTimesDecoder stages(final int logSessionId, final long position)
    {
        // The cluster's time at 500 ns of the monotonic clock.
        final DirectBuffer message = watch.stamp(500 - watch.clusterClock().nanoTime(0), position, logSessionId);
        return new StageTimesDecoder().wrapAndApplyHeader(message, 0, new MessageHeaderDecoder());
    }

    private int recording(final int logSessionId)
    {
        final int id = counters.allocate("rec-pos " + next++, RecordingPos.RECORDING_POSITION_TYPE_ID, (key) ->
        {
            key.putLong(0, 1);
            key.putInt(SESSION_ID_OFFSET, logSessionId);
        });
        // Aeron's search omits the last counter.
        counters.allocate("another " + next++);
        return id;
    }
}

package io.clusterecho.node.member;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;

import io.clusterecho.media.counters.ServiceCounter;

import org.agrona.concurrent.UnsafeBuffer;
import org.agrona.concurrent.status.AtomicCounter;
import org.agrona.concurrent.status.CountersManager;
import org.agrona.concurrent.status.CountersReader;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class StateLogTest
{
    private final CountersManager counters = new CountersManager(
        new UnsafeBuffer(new byte[16 * CountersReader.METADATA_LENGTH]),
        new UnsafeBuffer(new byte[16 * CountersReader.COUNTER_LENGTH]),
        StandardCharsets.US_ASCII);

    @TempDir
    private Path folder;

    @Test
    void shouldWriteEachStateOnce() throws IOException
    {
        final StateLog log = new StateLog(folder, counters, StateLog.MAX_LENGTH);
        log.write();
        assertThat(folder.resolve(StateLog.FILE)).doesNotExist();

        final State state = new State();
        state.publish(0, 0, 0);
        log.write();
        state.publish(1_024, 7, -2);
        log.write();
        log.write();

        assertThat(folder.resolve(StateLog.FILE)).hasContent("0 0 0000000000000000\n1024 7 fffffffffffffffe\n");
    }

    @Test
    void shouldWriteNothingWhileTheStateChanges() throws IOException
    {
        final StateLog log = new StateLog(folder, counters, StateLog.MAX_LENGTH);
        new State().publish(-1, 7, 8);
        log.write();

        assertThat(folder.resolve(StateLog.FILE)).doesNotExist();
    }

    @Test
    void shouldGoOnBehindWhatAnEarlierProcessWrote() throws IOException
    {
        final State state = new State();
        state.publish(32, 1, 1);
        new StateLog(folder, counters, StateLog.MAX_LENGTH).write();
        new StateLog(folder, counters, StateLog.MAX_LENGTH).write();

        assertThat(folder.resolve(StateLog.FILE)).hasContent("32 1 0000000000000001\n32 1 0000000000000001\n");
    }

    @Test
    void shouldKeepOneEarlierFileAndNoMore() throws IOException
    {
        final State state = new State();
        final StateLog log = new StateLog(folder, counters, 10);
        for (int i = 0; i < 3; i++)
        {
            state.publish(i, i, i);
            log.write();
        }

        assertThat(folder.resolve(StateLog.FILE)).hasContent("2 2 0000000000000002\n");
        assertThat(folder.resolve(StateLog.EARLIER_FILE)).hasContent("1 1 0000000000000001\n");
    }

    private final class State
    {
        private final AtomicCounter position = add(ServiceCounter.STATE_POSITION);
        private final AtomicCounter applied = add(ServiceCounter.APPLIED);
        private final AtomicCounter checksum = add(ServiceCounter.STATE_CHECKSUM);

        private AtomicCounter add(final ServiceCounter counter)
        {
            return counters.newCounter(counter.label(), counter.typeId());
        }

        private void publish(final long newPosition, final long newApplied, final long newChecksum)
        {
            checksum.set(newChecksum);
            applied.set(newApplied);
            position.set(newPosition);
        }
    }
}

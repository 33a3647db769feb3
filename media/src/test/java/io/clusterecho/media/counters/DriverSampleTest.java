package io.clusterecho.media.counters;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;

import io.aeron.AeronCounters;
import io.aeron.driver.status.SystemCounterDescriptor;

import org.agrona.concurrent.UnsafeBuffer;
import org.agrona.concurrent.status.CountersManager;
import org.junit.jupiter.api.Test;

class DriverSampleTest
{
    private final CountersManager counters = new CountersManager(
        new UnsafeBuffer(ByteBuffer.allocateDirect(1 << 18)), new UnsafeBuffer(ByteBuffer.allocateDirect(1 << 16)));
    private long[] values;

    @Test
    void shouldFindCountersByTypeAndTheDriversOwnByTheirId()
    {
        final int naks = system(SystemCounterDescriptor.NAK_MESSAGES_SENT);
        system(SystemCounterDescriptor.STATUS_MESSAGES_SENT);
        final int errors = system(SystemCounterDescriptor.ERRORS);
        final int stalls = counters.allocate("stalls", ProcessCounter.STALL_SUM_NS.typeId());
        counters.setCounterValue(naks, 5);
        counters.setCounterValue(errors, 2);
        counters.setCounterValue(stalls, 1_500_000);

        values = new DriverSample().take(counters);
        assertThat(value(CounterColumn.NAKS_SENT)).isEqualTo(5);
        assertThat(value(CounterColumn.ERRORS)).isEqualTo(2);
        assertThat(value(CounterColumn.STALL_MS)).isEqualTo(1_500_000);
        assertThat(value(CounterColumn.RETRANSMITS)).isEqualTo(DriverSample.MISSING);
    }

    @Test
    void shouldAddUpCountersOfOneTypeAndPassOverThoseThatAreGone()
    {
        final int first = counters.allocate("first", AeronCounters.DRIVER_SENDER_BPE_TYPE_ID);
        final int second = counters.allocate("second", AeronCounters.DRIVER_SENDER_BPE_TYPE_ID);
        final int third = counters.allocate("third", AeronCounters.DRIVER_SENDER_BPE_TYPE_ID);
        counters.setCounterValue(first, 1);
        counters.setCounterValue(second, 10);
        counters.setCounterValue(third, 100);
        values = new DriverSample().take(counters);
        assertThat(value(CounterColumn.BACK_PRESSURE)).isEqualTo(111);

        counters.free(second);
        values = new DriverSample().take(counters);
        assertThat(value(CounterColumn.BACK_PRESSURE)).isEqualTo(101);
    }

    @Test
    void shouldGiveEveryColumnOfACounterItsValue()
    {
        counters.setCounterValue(counters.allocate("commit", AeronCounters.CLUSTER_COMMIT_POSITION_TYPE_ID), 4_096);
        values = new DriverSample().take(counters);
        assertThat(value(CounterColumn.COMMITTED_BYTES)).isEqualTo(4_096);
        assertThat(value(CounterColumn.LOG_MIB)).isEqualTo(4_096);
    }

    @Test
    void shouldNotKnowTheSystemsColumns()
    {
        values = new DriverSample().take(counters);
        assertThat(value(CounterColumn.CPU_MS)).isEqualTo(DriverSample.MISSING);
    }

    private int system(final SystemCounterDescriptor counter)
    {
        return counters.allocate(
            counter.label(), AeronCounters.DRIVER_SYSTEM_COUNTER_TYPE_ID, (key) -> key.putInt(0, counter.id()));
    }

    private long value(final CounterColumn column)
    {
        return values[column.ordinal()];
    }
}

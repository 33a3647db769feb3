package io.clusterecho.media.counters;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;

import org.agrona.concurrent.UnsafeBuffer;
import org.agrona.concurrent.status.CountersManager;
import org.agrona.concurrent.status.CountersReader;
import org.junit.jupiter.api.Test;

class CounterLookupTest
{
    private static final int TYPE = 3_999;
    private static final int OTHER_TYPE = 3_998;

    private final CountersManager counters = new CountersManager(
        new UnsafeBuffer(ByteBuffer.allocateDirect(1 << 18)), new UnsafeBuffer(ByteBuffer.allocateDirect(1 << 16)));
    private int searchCount;
    private final CounterLookup lookup = new CounterLookup(counters, TYPE, () ->
    {
        searchCount++;
        return CounterLookup.ofType(counters, TYPE).id();
    });

    @Test
    void shouldSearchOnceForACounterThatStays()
    {
        counters.allocate("other", OTHER_TYPE);
        final int id = counters.allocate("it", TYPE);
        counters.setCounterValue(id, 5);
        assertThat(lookup.value(-1)).isEqualTo(5);
        counters.setCounterValue(id, 6);
        assertThat(lookup.value(-1)).isEqualTo(6);
        assertThat(lookup.id()).isEqualTo(id);
        assertThat(searchCount).isEqualTo(1);
    }

    @Test
    void shouldSearchUntilThereIsOne()
    {
        assertThat(lookup.value(-1)).isEqualTo(-1);
        assertThat(lookup.id()).isEqualTo(CountersReader.NULL_COUNTER_ID);
        final int id = counters.allocate("it", TYPE);
        assertThat(lookup.id()).isEqualTo(id);
    }

    @Test
    void shouldSearchAgainForOneThatWasClosed()
    {
        final int first = counters.allocate("it", TYPE);
        assertThat(lookup.id()).isEqualTo(first);
        counters.free(first);
        assertThat(lookup.value(-1)).isEqualTo(-1);

        assertThat(counters.allocate("other", OTHER_TYPE)).as("the place of the first").isEqualTo(first);
        assertThat(lookup.value(-1)).isEqualTo(-1);
        final int second = counters.allocate("it", TYPE);
        assertThat(lookup.id()).isEqualTo(second);
    }
}

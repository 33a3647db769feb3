package io.clusterecho.client.transport.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteOrder;

import io.aeron.logbuffer.Header;
import io.aeron.protocol.DataHeaderFlyweight;

import io.clusterecho.client.transport.ResponseHandler;

import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;

class ArrivalTimesTest
{
    private static final int SESSION = 5;

    private final ClusterTransport.ArrivalTimes arrivals = new ClusterTransport.ArrivalTimes();
    private final UnsafeBuffer frame = new UnsafeBuffer(new byte[DataHeaderFlyweight.HEADER_LENGTH]);
    private final Header header = new Header(0, 0).buffer(frame).offset(0);

    @Test
    void shouldReadTheStampOfTheDriver()
    {
        assertThat(arrival(SESSION, 1_000)).isEqualTo(1_000);
        assertThat(arrival(SESSION, 1_700)).isEqualTo(1_700);
    }

    @Test
    void shouldNotKnowTheArrivalOfAFrameWithoutAStamp()
    {
        arrival(SESSION, 1_000);
        assertThat(arrival(SESSION, 0)).isEqualTo(ResponseHandler.UNKNOWN_NS);
    }

    @Test
    void shouldNotTakeTheArrivalOfTheFirstFragmentForThatOfTheMessage()
    {
        header.fragmentedFrameLength(4_096);
        assertThat(arrival(SESSION, 1_000)).isEqualTo(ResponseHandler.UNKNOWN_NS);
    }

    @Test
    void shouldLetWhatArrivedBehindALossWaitForTheLostDatagram()
    {
        assertThat(arrival(SESSION, 9_000)).as("sent again").isEqualTo(9_000);
        assertThat(arrival(SESSION, 1_200)).as("could not be taken before").isEqualTo(9_000);
        assertThat(arrival(SESSION, 9_100)).isEqualTo(9_100);
    }

    @Test
    void shouldNotLetAStreamWaitForAnother()
    {
        arrival(SESSION, 9_000);
        assertThat(arrival(SESSION + 1, 1_200)).isEqualTo(1_200);
    }

    private long arrival(final int streamSessionId, final long stampNs)
    {
        frame.putInt(DataHeaderFlyweight.SESSION_ID_FIELD_OFFSET, streamSessionId, ByteOrder.LITTLE_ENDIAN);
        frame.putLong(DataHeaderFlyweight.RESERVED_VALUE_OFFSET, stampNs, ByteOrder.LITTLE_ENDIAN);
        return arrivals.of(header);
    }
}

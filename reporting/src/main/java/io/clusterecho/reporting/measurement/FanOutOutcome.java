package io.clusterecho.reporting.measurement;

import java.util.List;
import java.util.function.ToLongFunction;

import org.HdrHistogram.Histogram;

/**
 * What became of the copies of all messages of the measured window.
 *
 * @param receivers         in the order in which they were opened.
 * @param completed         messages of which every receiver has a copy.
 * @param foreign           copies of messages of other clients of the cluster.
 * @param responseTimes     receive - intended in ns, of each copy; age at the end of the run for copies that nobody received.
 * @param lastResponseTimes the same of the last receiver of each message; age at the end of the run if a receiver has none.
 */
public record FanOutOutcome(
    List<Receiver> receivers, long completed, long foreign, Histogram responseTimes, Histogram lastResponseTimes)
{
    /**
     * What one receiver received.
     *
     * @param scheduled  messages of the window; the sum of the next four.
     * @param received   first copy within the late limit.
     * @param late       first copy beyond the late limit.
     * @param missing    sent by the client, no copy by the end.
     * @param neverSent  due, but not accepted by the transport by the end.
     * @param corrupt    anything that is not the complete echo of a sent message.
     * @param reconnects sessions opened to replace lost ones; copies sent meanwhile are missing.
     */
    public record Receiver(
        long scheduled, long received, long late, long missing, long neverSent, long duplicates, long corrupt, long reconnects)
    {
        /** Sum of the four classes, which must be the messages scheduled. */
        public long accounted()
        {
            return received + late + missing + neverSent;
        }
    }

    public long sum(final ToLongFunction<Receiver> count)
    {
        return receivers.stream().mapToLong(count).sum();
    }
}

package io.clusterecho.client.load;

import java.util.function.LongConsumer;

import io.clusterecho.client.schedule.Schedule;
import io.clusterecho.client.transport.Transport;
import io.clusterecho.reporting.measurement.Histograms;
import io.clusterecho.reporting.measurement.LoadOutcome;
import io.clusterecho.reporting.measurement.Time;

import org.HdrHistogram.Histogram;
import org.agrona.concurrent.NanoClock;

/** A run on a clock that only the test moves. */
final class ManualRun implements NanoClock
{
    static final long START_NS = 1_000_000;

    final Histograms times = new Histograms();
    final Histogram responseTimes = times.of(Time.RESPONSE);
    final Histogram serviceTimes = times.of(Time.SERVICE);
    final Histogram sendDelays = times.of(Time.SEND_DELAY);
    final Histogram receiveLateness = times.of(Time.RECEIVE_LATENESS);
    final Histogram clientParts = times.of(Time.CLIENT_PART);
    Transport[] receivers = {};
    LoadAgent agent;
    private long nowNs;

    @Override
    public long nanoTime()
    {
        return nowNs;
    }

    void advance(final long byNs)
    {
        nowNs += byNs;
    }

    /** Run to the end in steps of the clock. */
    LoadOutcome execute(
        final LoadPlan plan,
        final Schedule schedule,
        final long stepNs,
        final LongConsumer beforeStep,
        final Transport... transports)
    {
        agent = new LoadAgent(plan, schedule, transports, 1_000, this, null);
        for (final Transport transport : transports)
        {
            transport.connect(1);
        }
        agent.receivers(receivers);
        agent.begin(START_NS);
        nowNs = START_NS;
        while (!agent.isDone())
        {
            beforeStep.accept(nowNs - START_NS);
            // Work takes no time on this clock, so that what is measured is the echo and the stalls alone.
            if (0 == agent.doWork())
            {
                nowNs += stepNs;
            }
        }

        final LoadOutcome outcome = agent.outcome();
        times.add(agent.records.times(true).takeInterval());
        responseTimes.add(outcome.unansweredAges());
        return outcome;
    }
}

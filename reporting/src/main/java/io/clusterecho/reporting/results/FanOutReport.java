package io.clusterecho.reporting.results;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

import io.clusterecho.reporting.measurement.Counter;
import io.clusterecho.reporting.measurement.FanOutOutcome;
import io.clusterecho.reporting.measurement.FanOutOutcome.Receiver;
import io.clusterecho.reporting.measurement.LoadMeasurement;

/** What became of the copies for receivers, in words. */
final class FanOutReport
{
    private FanOutReport()
    {
    }

    /** Why the copies make a run FAILED, a sentence each; none without receivers. */
    static List<String> reasons(final LoadMeasurement measurement)
    {
        final FanOutOutcome fanOut = measurement.fanOut();
        final List<String> reasons = new ArrayList<>();
        if (null == fanOut)
        {
            return reasons;
        }

        for (int i = 0; i < fanOut.receivers().size(); i++)
        {
            final Receiver receiver = fanOut.receivers().get(i);
            if (receiver.accounted() != measurement.outcome().of(Counter.SCHEDULED))
            {
                reasons.add(
                    "the accounts of receiver " + i + " do not add up: scheduled=" + measurement.outcome().of(Counter.SCHEDULED) +
                    ", accounted for=" + receiver.accounted());
            }
        }
        final long missing = fanOut.sum(Receiver::missing);
        if (missing > 0)
        {
            reasons.add(
                missing + " of " + fanOut.sum(Receiver::scheduled) + " copies did not reach their receiver (" +
                fanOut.receivers().stream().filter((receiver) -> receiver.missing() > 0).count() + " of " +
                fanOut.receivers().size() + " receivers)");
        }
        if (fanOut.sum(Receiver::duplicates) > 0)
        {
            reasons.add(fanOut.sum(Receiver::duplicates) + " duplicate copies");
        }
        if (fanOut.sum(Receiver::corrupt) > 0)
        {
            reasons.add(fanOut.sum(Receiver::corrupt) + " corrupt copies");
        }

        return reasons;
    }

    /**
     * Sums over all receivers, and what each missed.
     *
     * @return lines of text; none without receivers.
     */
    static List<String> lines(final LoadMeasurement measurement)
    {
        final FanOutOutcome fanOut = measurement.fanOut();
        final List<String> lines = new ArrayList<>();
        if (null == fanOut)
        {
            return lines;
        }

        lines.add(String.format(
            Locale.ROOT, "fan-out    %d receivers: copies %,d = received %,d + late %,d + missing %,d + never sent %,d",
            fanOut.receivers().size(), fanOut.sum(Receiver::scheduled), fanOut.sum(Receiver::received),
            fanOut.sum(Receiver::late), fanOut.sum(Receiver::missing), fanOut.sum(Receiver::neverSent)));
        lines.add(String.format(
            Locale.ROOT,
            "           duplicates %,d, corrupt %,d, of other clients %,d, reconnects %,d; complete %,d of %,d messages",
            fanOut.sum(Receiver::duplicates), fanOut.sum(Receiver::corrupt), fanOut.foreign(), fanOut.sum(Receiver::reconnects),
            fanOut.completed(), measurement.outcome().of(Counter.SCHEDULED)));
        for (int i = 0; i < fanOut.receivers().size(); i++)
        {
            final Receiver receiver = fanOut.receivers().get(i);
            if (receiver.missing() > 0)
            {
                lines.add(String.format(
                    Locale.ROOT, "           receiver %d: missing %,d, reconnects %,d", i, receiver.missing(),
                    receiver.reconnects()));
            }
        }

        return lines;
    }
}

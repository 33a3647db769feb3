package io.clusterecho.reporting.results;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

import io.clusterecho.attribution.Part;
import io.clusterecho.attribution.StageTimes;
import io.clusterecho.reporting.measurement.LoadMeasurement;
import io.clusterecho.reporting.measurement.Time;
import io.clusterecho.settings.Quantity;
import io.clusterecho.text.Lines;

/** Times of the stages of a message's path, in words. */
public final class StageReport
{
    /** Warnings about the stage times of a run, a sentence each; none if stages were not recorded. */
    public static List<String> warnings(final LoadMeasurement measurement)
    {
        final StageTimes stages = measurement.outcome().stages();
        final List<String> warnings = new ArrayList<>();
        if (null == stages)
        {
            return warnings;
        }

        final long stampedCount = stages.stampedCount();
        if (0 == stampedCount && 0 == stages.disagreeingCount())
        {
            warnings.add("no reply has stage times: they need echo.stages=true, and a reply while its request is handled");
        }
        else if (stages.unstampedCount() > 0)
        {
            warnings.add(Lines.text(
                "%,d replies lack stage times; the stages cover the other %,d",
                stages.unstampedCount(), stampedCount));
        }
        if (stages.disagreeingCount() > 0)
        {
            warnings.add(Lines.text(
                "%,d replies have stage times out of order and are left out: a clock was set, or clocks differ",
                stages.disagreeingCount()));
        }
        if (stages.of(StageTimes.BOTH_WAYS).getTotalCount() > 0)
        {
            warnings.add(
                "leader and client have different clocks: the times to the leader and back are reported as one stage, free of " +
                "clock error; the stages between use the leader's clock alone");
        }

        return warnings;
    }

    /** Mean time of each stage in a line, as in {@code to leader 60 us (30%), log 2 us (1%)}; empty without stage times. */
    static String means(final LoadMeasurement measurement)
    {
        final StageTimes stages = measurement.outcome().stages();
        if (null == stages || 0 == stages.stampedCount())
        {
            return "";
        }

        final double sendDelayNs = measurement.times().of(Time.SEND_DELAY).getMean();
        final double sumNs = sendDelayNs + stages.stages().stream().mapToDouble((stage) -> partNs(stages, stage)).sum();
        return mean("send delay", sendDelayNs, sumNs) + stages.stages().stream()
            .map((stage) -> ", " + mean(StageTimes.label(stage), partNs(stages, stage), sumNs)).collect(Collectors.joining());
    }

    /** A stage's part in the mean of all messages: some have it, and others the one for another clock. */
    private static double partNs(final StageTimes stages, final Part stage)
    {
        return stages.of(stage).getMean() * stages.of(stage).getTotalCount() / stages.stampedCount();
    }

    private static String mean(final String name, final double timeNs, final double sumNs)
    {
        return Lines.text("%s %s (%.0f%%)", name, Quantity.formatNs(Math.round(timeNs)), 100 * timeNs / Math.max(1, sumNs));
    }
}

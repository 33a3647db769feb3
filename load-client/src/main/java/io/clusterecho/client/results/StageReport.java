package io.clusterecho.client.results;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

import com.fasterxml.jackson.databind.node.ObjectNode;

import io.clusterecho.client.load.LoadMeasurement;
import io.clusterecho.client.record.Stage;
import io.clusterecho.client.record.StageTimes;
import io.clusterecho.settings.Quantity;

/**
 * Where the time of messages went, for those who asked for it.
 */
public final class StageReport
{
    private StageReport()
    {
    }

    /**
     * What a reader should know of the stages.
     *
     * @param measurement of a run.
     * @return sentences; none where stages were not asked for.
     */
    public static List<String> warnings(final LoadMeasurement measurement)
    {
        final StageTimes stages = measurement.outcome().stages();
        final List<String> warnings = new ArrayList<>();
        if (null == stages)
        {
            return warnings;
        }

        final long toldCount = stages.toldCount();
        if (0 == toldCount && 0 == stages.disagreeingCount())
        {
            warnings.add("no reply told of its stages: start the members with echo.stages=true");
        }
        else if (stages.untoldCount() > 0)
        {
            warnings.add(String.format(Locale.ROOT,
                "%,d replies did not tell of their stages, which are of the %,d others", stages.untoldCount(), toldCount));
        }
        if (stages.disagreeingCount() > 0)
        {
            warnings.add(String.format(Locale.ROOT,
                "%,d replies tell of stages that are not in order, and are left out: clocks were set, or are not the same",
                stages.disagreeingCount()));
        }
        if (stages.of(Stage.BOTH_WAYS).getTotalCount() > 0)
        {
            warnings.add(
                "the leader has another clock than the client: the ways to it and back are told together, without an error by " +
                "clocks; the stages between are of the leader's clock alone");
        }

        return warnings;
    }

    /**
     * Put the stages, if they were asked for.
     *
     * @param root        of the manifest.
     * @param measurement of the run.
     */
    static void put(final ObjectNode root, final LoadMeasurement measurement)
    {
        final StageTimes stages = measurement.outcome().stages();
        if (null != stages)
        {
            final ObjectNode node = root.putObject("stages");
            node.put("told", stages.toldCount()).put("untold", stages.untoldCount());
            node.put("disagreeing", stages.disagreeingCount());
            stages.stages().forEach((stage) -> Manifest.putTimes(node.putObject(stage.key() + "Ns"), stages.of(stage)));
        }
    }

    /**
     * The means in a line.
     *
     * @param measurement of the run.
     * @return for instance {@code send delay 2.1 us (1%), to leader 60 us (30%)}; empty where no message is told of.
     */
    static String means(final LoadMeasurement measurement)
    {
        final StageTimes stages = measurement.outcome().stages();
        final StringBuilder text = new StringBuilder();
        if (null != stages && stages.toldCount() > 0)
        {
            final double sendDelayNs = measurement.sendDelays().getMean();
            final double sumNs =
                sendDelayNs + stages.stages().stream().mapToDouble((stage) -> stages.of(stage).getMean()).sum();
            text.append(mean("send delay", sendDelayNs, sumNs));
            stages.stages().forEach(
                (stage) -> text.append(", ").append(mean(stage.label(), stages.of(stage).getMean(), sumNs)));
        }

        return text.toString();
    }

    private static String mean(final String name, final double timeNs, final double sumNs)
    {
        return String.format(
            Locale.ROOT, "%s %s (%.0f%%)", name, Quantity.formatNs(Math.round(timeNs)), 100 * timeNs / Math.max(1, sumNs));
    }
}

package io.clusterecho.client.sweep;

import java.lang.reflect.RecordComponent;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;

import io.clusterecho.client.maxrate.Limit;
import io.clusterecho.client.maxrate.MaxRate;
import io.clusterecho.client.maxrate.Step;
import io.clusterecho.reporting.results.Accounts;
import io.clusterecho.reporting.document.Documents;
import io.clusterecho.reporting.document.RunDocument;
import io.clusterecho.reporting.document.StoredVerdict;
import io.clusterecho.reporting.results.CpuCost;
import io.clusterecho.reporting.results.Cycle;
import io.clusterecho.reporting.results.Percentile;
import io.clusterecho.reporting.results.SteadyState;
import io.clusterecho.reporting.results.TailCause;
import io.clusterecho.reporting.results.Times;
import io.clusterecho.reporting.results.Verdict;
import io.clusterecho.statistics.NearestRank;

/**
 * One repeat of a cell, as in {@code sweep.json}, measured now or read back. A run that could not be made has only a verdict. For
 * a cell whose rate is searched it is a run at the rate that was found.
 *
 * @param notStarted true if its system did not start, which says nothing of the cell; else null.
 */
public record SweepRun(
    int cell, int repeat, String start, StoredVerdict verdict, Long ratePerSecondAsked, Double ratePerSecondAchieved,
    @JsonUnwrapped Accounts accounts,
    Long backPressured, Long newLeaders, String durability, String placement, CpuCost cpuSecondsPerMillion,
    Long floorSyncNs, String floorMissing, Times responseTimeNs, Long responseP99_5Ns, Times serviceTimeNs, Times sendDelayNs,
    Times stallNs,
    MemberReturn memberReturn, @JsonInclude(JsonInclude.Include.NON_EMPTY) List<String> disturbances, String folder,
    Boolean notStarted)
{
    /** A percentile that only closed loops have, and a public report. */
    static final String P99_5 = "p99.5";

    public SweepRun
    {
        // Documents of earlier versions have none.
        disturbances = null == disturbances ? List.of() : List.copyOf(disturbances);
    }

    /**
     * How the member that a fault hit came back, and what clients noticed. Times in ns.
     *
     * @param inQuorumNs     from its return, such as the start of its process, until it was in the term with what the leader had
     *                       committed then.
     * @param caughtUpNs     from its return until it had committed what the leader had by that time.
     * @param outageNs       longest time without a reply; 0 if none was above the minimum.
     * @param p99BeforeNs    response time of the messages due in the second before the fault.
     * @param p99ReturningNs of those due from its return until it had caught up; null if there were none.
     */
    public record MemberReturn(
        long inQuorumNs, long caughtUpNs, long outageNs, Double p99BeforeNs, Double p99ReturningNs)
    {
        /** Names of all numbers, in order. */
        static final List<String> NAMES =
            Stream.of(MemberReturn.class.getRecordComponents()).map(RecordComponent::getName).toList();

        /** A number by its name; null if it is not known. */
        Number number(final String name)
        {
            return Documents.tree(this).path(name).numberValue();
        }

        /** @return null if the member did not come back. */
        static MemberReturn of(final Cycle cycle)
        {
            final Cycle.Moments phases = cycle.moments();
            return null == phases.victimCaughtUpNs() || null == phases.victimInQuorumNs() ? null : new MemberReturn(
                phases.victimInQuorumNs() - phases.victimReturnedNs(), phases.victimCaughtUpNs() - phases.victimReturnedNs(),
                cycle.outageNs(), null == cycle.responseTimeNs() ? null : p99(cycle.responseTimeNs().get("before")),
                p99(cycle.returnResponseTimeNs()));
        }

        private static Double p99(final Cycle.PartTimes times)
        {
            final Long p99Ns = null == times ? null : times.percentiles().at(Percentile.P99);
            return null == p99Ns ? null : p99Ns.doubleValue();
        }
    }

    /** A search of the highest rate, by the run at that rate whose median response time is in the middle. */
    static SweepRun searched(final Cell cell, final int repeat, final MaxRate search, final String folder)
    {
        final Verdict verdict = search.verdict(List.of());
        final List<Step> passed = search.stepsAtAnswer().stream().filter(Step::isPassed)
            .sorted(Comparator.comparing((step) -> step.run().responseTimeNs().at(Percentile.P50),
            Comparator.nullsFirst(Comparator.naturalOrder()))).toList();
        if (!verdict.isGood() || passed.isEmpty())
        {
            return failed(cell, repeat, String.join("; ", verdict.allReasons()));
        }

        final Step middle = passed.get(NearestRank.index(passed.size(), NearestRank.MEDIAN));
        final StoredVerdict stored = StoredVerdict.of(verdict);
        return measured(
            cell, repeat, middle.run(), Limit.By.CLIENT != search.limit().by() ? stored : new StoredVerdict(
                stored.good(), Verdict.CLIENT_LIMITED, stored.partial(), stored.reasons(), stored.warnings()),
            folder + "/" + middle.folder());
    }

    /** A measured run, good or not, with its repeat from 1 and its folder in that of the sweep. */
    public static SweepRun measured(
        final Cell cell, final int repeat, final RunDocument run, final StoredVerdict verdict, final String folder)
    {
        return of(cell, repeat, (ObjectNode)Documents.tree(run), verdict).with("disturbances", disturbances(run))
            .with("folder", folder);
    }

    /** A run with those fields of a document that are also its own. */
    private static SweepRun of(final Cell cell, final int repeat, final ObjectNode document, final StoredVerdict verdict)
    {
        document.put("cell", cell.number()).put("repeat", repeat).set("verdict", Documents.tree(verdict));
        return Documents.bind(document, SweepRun.class);
    }

    private SweepRun with(final String field, final Object value)
    {
        final ObjectNode run = (ObjectNode)Documents.tree(this);
        run.set(field, Documents.tree(value));
        return Documents.bind(run, SweepRun.class);
    }

    private static List<String> disturbances(final RunDocument run)
    {
        return null == run.diagnosis() ? List.of() : run.diagnosis().findings().stream()
            .filter((finding) -> TailCause.RULES_OF_OTHERS.contains(finding.rule())).map(TailCause::cause).toList();
    }

    /** A load that is not at a rate, by what its command printed. */
    static SweepRun ofLoad(
        final Cell cell, final int repeat, final JsonNode load, final StoredVerdict verdict, final String folder)
    {
        final ObjectNode run = load.deepCopy();
        run.set("ratePerSecondAchieved", load.get("ratePerSecond"));
        Stream.of("roundTripNs", "sinceRequestNs").map(load::get).filter(Objects::nonNull).forEach((times) ->
        {
            run.set("responseTimeNs", ((ObjectNode)times.deepCopy()).set("count", load.get("count")));
            run.set("responseP99_5Ns", times.get(P99_5));
        });
        return of(cell, repeat, run, verdict).with("folder", folder);
    }

    /** A percentile of a time in ns; null if the run does not have it. */
    static Long at(final Times times, final Percentile percentile)
    {
        return null == times ? null : times.at(percentile);
    }

    /** The rate that was searched, or that a load without a given rate reached, in messages per second; 0 if neither was. */
    long foundRatePerSecond()
    {
        return !isMeasured() ? 0 : null != ratePerSecondAsked ? ratePerSecondAsked : Math.round(ratePerSecondAchieved);
    }

    SweepRun with(final Cycle cycle)
    {
        return with("memberReturn", MemberReturn.of(cycle));
    }

    /** The same run, not good if its level changed: no published figure is that of a mixture. */
    SweepRun ifSteady(final SteadyState steady)
    {
        return !isGood() || null == steady || null == steady.reached() || steady.reasons().isEmpty() ? this :
            with("verdict", new StoredVerdict(
            false, "FAILED", false, List.of("not steady: " + String.join("; ", steady.reasons())), warnings()));
    }

    /** A run that could not be made, with the reason in one line or several. */
    public static SweepRun failed(final Cell cell, final int repeat, final String reason)
    {
        return of(
            cell, repeat, JsonNodeFactory.instance.objectNode(),
            new StoredVerdict(false, "FAILED", false, List.of(reason), List.of()));
    }

    static SweepRun notStarted(final Cell cell, final int repeat, final String system, final String reason)
    {
        return failed(cell, repeat, system + " could not be started: " + reason).with("notStarted", true);
    }

    /** Whether its system started, else there is nothing to keep. */
    public boolean isStarted()
    {
        return null == notStarted;
    }

    /** Whether its verdict is GOOD or CLIENT-LIMITED. */
    public boolean isGood()
    {
        return verdict.good();
    }

    boolean isClientLimited()
    {
        return Verdict.CLIENT_LIMITED.equals(verdict.label());
    }

    /** Whether it has times or, of a load without these, a rate, good or not; false if the run could not be made. */
    public boolean isMeasured()
    {
        return null == responseTimeNs ? null != ratePerSecondAchieved : responseTimeNs.count() > 0;
    }

    public List<String> reasons()
    {
        return verdict.reasons();
    }

    List<String> warnings()
    {
        return verdict.warnings();
    }
}

package io.clusterecho.failover.lab;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

import io.clusterecho.client.record.JournalReader;
import io.clusterecho.reporting.results.Cycle;
import io.clusterecho.statistics.NearestRank;

import org.agrona.collections.Long2LongHashMap;

/**
 * When the sessions of a load were back after an outage, from the client's journal: a session is back with its first reply
 * after the outage. Its time is as exact as the interval between two messages of that session, which is that of the load times
 * the number of sessions. Times are in ns since the start of the schedule, from the end of the outage to the next fault.
 */
record SessionReturns(Cycle cycle, long beginNs, long endNs, Long2LongHashMap firstRepliesNs)
{
    /**
     * Read the times by number, for each cycle with an outage that ended; the cycles are in order, with their outages.
     *
     * @throws io.clusterecho.settings.InvalidSettingException if the journal cannot be read.
     */
    static Map<Integer, Cycle.Sessions> read(
        final Path journalFile, final List<Cycle> cycles, final int sessionCount, final long startNs, final long loadEndNs)
    {
        final List<SessionReturns> outages = cycles.stream()
            .filter((cycle) -> cycle.isInjected() && cycle.outageNs() > 0 && cycle.phaseNs(Cycle.OutagePhase.FIRST_ECHO) >= 0)
            .map((cycle) -> new SessionReturns(
                cycle, cycle.startNs() + cycle.phaseNs(Cycle.OutagePhase.FIRST_ECHO),
                cycles.stream().filter(Cycle::isInjected).mapToLong(Cycle::startNs)
                    .filter((next) -> next > cycle.startNs()).min().orElse(loadEndNs),
                new Long2LongHashMap(Long.MAX_VALUE))).toList();
        JournalReader.read(journalFile, (clientId, sequence, check, templateId, receiveTimeNs) ->
        {
            for (final SessionReturns outage : outages)
            {
                outage.onReply(clientId, receiveTimeNs - startNs);
            }
        });
        return outages.stream().collect(
            Collectors.toMap((outage) -> outage.cycle.number(), (outage) -> outage.sessions(sessionCount)));
    }

    private void onReply(final long clientId, final long timeNs)
    {
        if (timeNs >= beginNs && timeNs < endNs && timeNs < firstRepliesNs.get(clientId))
        {
            firstRepliesNs.put(clientId, timeNs);
        }
    }

    private Cycle.Sessions sessions(final int sessionCount)
    {
        final double[] timesNs =
            firstRepliesNs.values().stream().mapToDouble((timeNs) -> timeNs - cycle.startNs()).sorted().toArray();
        return 0 == timesNs.length ? new Cycle.Sessions(sessionCount, sessionCount, null, null, null) : new Cycle.Sessions(
            sessionCount, sessionCount - timesNs.length, Math.round(timesNs[0]),
            Math.round(NearestRank.of(timesNs, NearestRank.MEDIAN)), Math.round(timesNs[timesNs.length - 1]));
    }
}

package io.clusterecho.failover.lab;

import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

import io.clusterecho.client.record.JournalReader;
import io.clusterecho.reporting.results.Cycle;
import io.clusterecho.statistics.NearestRank;

/**
 * When the sessions of a load were back after each outage, from the client's journal: a session is back with its first reply
 * after the outage. Its time is as exact as the interval between two messages of that session, which is that of the load times
 * the number of sessions.
 */
public final class SessionReturns
{
    private static final long NONE = Long.MIN_VALUE;

    private SessionReturns()
    {
    }

    /**
     * Read the times by number, for each cycle with an outage that ended; the cycles are in order, with their outages.
     *
     * @throws io.clusterecho.settings.InvalidSettingException if the journal cannot be read.
     */
    static Map<Integer, Cycle.Sessions> read(
        final Path journalFile, final List<Cycle> cycles, final int sessionCount, final long startNs, final long loadEndNs)
    {
        final List<Cycle> measured = cycles.stream().filter(
            (cycle) -> cycle.isInjected() && cycle.outageNs() > 0 && cycle.phaseNs(Cycle.OutagePhase.FIRST_ECHO) >= 0).toList();
        final long[] beginsNs = measured.stream().mapToLong(
            (cycle) -> cycle.startNs() + cycle.phaseNs(Cycle.OutagePhase.FIRST_ECHO)).toArray();
        final long[] endsNs = measured.stream().mapToLong((cycle) -> cycles.stream().filter(Cycle::isInjected)
            .mapToLong(Cycle::startNs).filter((next) -> next > cycle.startNs()).min().orElse(loadEndNs)).toArray();
        final Map<Long, long[]> firstReplies = new HashMap<>();
        JournalReader.read(journalFile, new JournalReader.Handler()
        {
            @Override
            public void onSent(final long clientId, final long firstSequence, final long count)
            {
                // A message that was sent does not show that its session is back.
            }

            @Override
            public void onReply(
                final long clientId, final long sequence, final int check, final int templateId, final long receiveTimeNs)
            {
                final long[] ofSession = firstReplies.computeIfAbsent(clientId, (id) -> noReplies(beginsNs.length));
                for (int i = 0; i < beginsNs.length; i++)
                {
                    final long timeNs = receiveTimeNs - startNs;
                    if (timeNs >= beginsNs[i] && timeNs < endsNs[i] && (NONE == ofSession[i] || timeNs < ofSession[i]))
                    {
                        ofSession[i] = timeNs;
                    }
                }
            }
        });

        final Map<Integer, Cycle.Sessions> returns = new HashMap<>();
        for (int i = 0; i < beginsNs.length; i++)
        {
            final int place = i;
            final double[] timesNs = firstReplies.values().stream().mapToLong((ofSession) -> ofSession[place])
                .filter((timeNs) -> NONE != timeNs).mapToDouble((timeNs) -> timeNs - measured.get(place).startNs())
                .sorted().toArray();
            returns.put(measured.get(i).number(), of(timesNs, sessionCount));
        }
        return returns;
    }

    private static long[] noReplies(final int count)
    {
        final long[] replies = new long[count];
        Arrays.fill(replies, NONE);
        return replies;
    }

    private static Cycle.Sessions of(final double[] timesNs, final int sessionCount)
    {
        return 0 == timesNs.length ? new Cycle.Sessions(sessionCount, sessionCount, null, null, null) : new Cycle.Sessions(
            sessionCount, sessionCount - timesNs.length, Math.round(timesNs[0]),
            Math.round(NearestRank.of(timesNs, NearestRank.MEDIAN)), Math.round(timesNs[timesNs.length - 1]));
    }
}

package io.clusterecho.failover.lab;

import static io.clusterecho.failover.lab.SampleFailover.NS_PER_MS;
import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;

import io.clusterecho.client.record.Journal;
import io.clusterecho.reporting.results.Cycle;
import io.clusterecho.reporting.results.CycleBuilder;
import io.clusterecho.schema.codecs.EchoResponseDecoder;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SessionReturnsTest
{
    private static final long START_NS = 1_000;
    private static final long LOAD_END_NS = 1_000 * NS_PER_MS;

    @TempDir
    private Path folder;

    @Test
    void shouldCountASessionAsBackWithItsFirstReplyAfterTheOutage()
    {
        // The first echo after the outage is at 500 ms; session 7 has one within the outage's begin, and no other.
        final Path journal = journal(new long[][]{
            { 5, 90 }, { 6, 95 }, { 7, 99 }, { 8, 80 }, { 5, 500 }, { 8, 530 }, { 6, 510 }, { 5, 540 } });

        final Cycle.Sessions returns = read(journal, cycle(100, 400)).get(1);

        assertThat(returns).isEqualTo(
            new Cycle.Sessions(4, 1, 400 * NS_PER_MS, 410 * NS_PER_MS, 430 * NS_PER_MS));
    }

    @Test
    void shouldNotCountRepliesAfterTheNextFault()
    {
        final Path journal = journal(new long[][]{ { 5, 300 }, { 6, 650 }, { 5, 800 } });

        final Map<Integer, Cycle.Sessions> returns = read(journal, cycle(1, 100, 200), cycle(2, 600, 50));

        assertThat(returns.get(1)).isEqualTo(
            new Cycle.Sessions(4, 3, 200 * NS_PER_MS, 200 * NS_PER_MS, 200 * NS_PER_MS));
        assertThat(returns.get(2)).isEqualTo(
            new Cycle.Sessions(4, 2, 50 * NS_PER_MS, 50 * NS_PER_MS, 200 * NS_PER_MS));
    }

    @Test
    void shouldKnowNothingOfACycleWithoutAnOutageThatEnded()
    {
        assertThat(read(journal(new long[][]{ { 5, 300 } }), cycle(100, -1))).isEmpty();
    }

    private static Map<Integer, Cycle.Sessions> read(final Path journal, final Cycle... cycles)
    {
        return SessionReturns.read(journal, List.of(cycles), 4, START_NS, LOAD_END_NS);
    }

    private static Cycle cycle(final long faultMs, final long firstEchoMs)
    {
        return cycle(1, faultMs, firstEchoMs);
    }

    private static Cycle cycle(final int number, final long faultMs, final long firstEchoMs)
    {
        return new CycleBuilder(number).with("startNs", faultMs * NS_PER_MS).with("outageNs", 100 * NS_PER_MS)
            .with(firstEchoMs < 0 ? Map.of() : Map.of(Cycle.OutagePhase.FIRST_ECHO, firstEchoMs * NS_PER_MS)).cycle();
    }

    /** @param replies client id, and time of the reply in ms since the start of the schedule. */
    private Path journal(final long[][] replies)
    {
        final Path file = folder.resolve("journal.bin");
        try (Journal journal = new Journal(file))
        {
            for (int i = 0; i < replies.length; i++)
            {
                journal.onSent(replies[i][0], i);
                journal.onReply(
                    replies[i][0], i, 0, EchoResponseDecoder.TEMPLATE_ID, START_NS + replies[i][1] * NS_PER_MS);
            }
        }
        return file;
    }
}

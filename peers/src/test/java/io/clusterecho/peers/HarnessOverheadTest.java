package io.clusterecho.peers;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;

import io.aeron.Aeron;
import io.aeron.ExclusivePublication;
import io.aeron.Subscription;
import io.aeron.logbuffer.BufferClaim;
import io.aeron.logbuffer.FragmentHandler;

import io.clusterecho.client.load.ClosedLoop;
import io.clusterecho.client.load.Idle;
import io.clusterecho.client.transport.Transport;
import io.clusterecho.client.transport.TransportConnector;
import io.clusterecho.client.transport.TransportRequest;
import io.clusterecho.reporting.measurement.ClosedLoopResult;
import io.clusterecho.reporting.results.Verdict;
import io.clusterecho.schema.EchoMessage;
import io.clusterecho.schema.PayloadCheck;
import io.clusterecho.schema.codecs.EchoRequestDecoder;
import io.clusterecho.schema.peers.MessageHeaderEncoder;
import io.clusterecho.schema.peers.SessionOpenEncoder;
import io.clusterecho.settings.Settings;

import org.HdrHistogram.Histogram;
import org.agrona.concurrent.IdleStrategy;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Overhead of the client on the round trip of the fastest peer: compares the client with a bare Aeron loop that neither checks
 * nor counts anything. Both send the same messages to the same server, alternately.
 */
@Tag("slow")
class HarnessOverheadTest
{
    private static final int ROUNDS = 9;
    private static final int WARM_UP_COUNT = 5_000;
    private static final int COUNT = 20_000;
    private static final int LENGTH = 288;
    private static final double ALLOWED = 1.05;

    @TempDir
    private static Path folder;

    private Histogram bareTimes = new Histogram(3);
    private long receivedNs;

    @Test
    void shouldAddLessThanAFewPercentToTheFastest()
    {
        final Peer peer = Peer.of("NAME", "aeron-ipc");
        final double[] ratios = new double[ROUNDS];
        try (ServedPeer server = ServedPeer.start(peer, folder))
        {
            for (int round = 0; round < ROUNDS; round++)
            {
                // The order alternates, so that a drift of the machine favours neither.
                final double bareNs;
                final double clientNs;
                if (0 == (round & 1))
                {
                    bareNs = bareMedianNs(server.endpoints());
                    clientNs = clientMedianNs(peer, server.endpoints());
                }
                else
                {
                    clientNs = clientMedianNs(peer, server.endpoints());
                    bareNs = bareMedianNs(server.endpoints());
                }
                ratios[round] = clientNs / bareNs;
                System.out.printf(
                    Locale.ROOT, "round %d: bare %.0f ns, client %.0f ns, ratio %.3f%n", round + 1, bareNs, clientNs,
                    ratios[round]);
            }
        }

        Arrays.sort(ratios);
        System.out.printf(
            Locale.ROOT, "ratio of medians: %.3f (%.3f to %.3f)%n", ratios[ROUNDS / 2], ratios[0], ratios[ROUNDS - 1]);
        assertThat(ratios[ROUNDS / 2]).as("client by bare loop, of %s", Arrays.toString(ratios)).isLessThan(ALLOWED);
    }

    private static double clientMedianNs(final Peer peer, final String endpoints)
    {
        try (TransportConnector connector = peer.newConnector(new TransportRequest(
                endpoints, LENGTH, 1, true, new Settings("peer.", peer.settings()), (error) -> { }));
            Transport transport = connector.newTransport())
        {
            transport.connect(TimeUnit.SECONDS.toNanos(30));
            final ClosedLoopResult result = new ClosedLoop(
                new Transport[]{ transport }, LENGTH, 1, null, WARM_UP_COUNT, COUNT, 1, TimeUnit.SECONDS.toNanos(10),
                Long.MAX_VALUE)
                .run(Idle.auto.strategy());
            assertThat(Verdict.of(result, List.of()).isGood()).as("%s", result).isTrue();
            return result.roundTrips().getValueAtPercentile(50);
        }
    }

    private double bareMedianNs(final String folderName)
    {
        final int streamId = 77;
        final int serverStreamId = 1001;
        final UnsafeBuffer message = new UnsafeBuffer(new byte[LENGTH]);
        final BufferClaim claim = new BufferClaim();
        final IdleStrategy idleStrategy = Idle.auto.strategy();
        final FragmentHandler handler = (buffer, offset, length, header) -> receivedNs = System.nanoTime();
        bareTimes = new Histogram(3);
        try (Aeron aeron = Aeron.connect(new Aeron.Context().aeronDirectoryName(folderName).useConductorAgentInvoker(true));
            Subscription subscription = aeron.addSubscription("aeron:ipc", streamId);
            ExclusivePublication publication = aeron.addExclusivePublication("aeron:ipc", serverStreamId))
        {
            final SessionOpenEncoder open = new SessionOpenEncoder();
            open.wrapAndApplyHeader(message, 0, new MessageHeaderEncoder()).streamId(streamId).channel("aeron:ipc");
            await(() -> publication.offer(message, 0, MessageHeaderEncoder.ENCODED_LENGTH + open.encodedLength()) > 0, aeron);
            await(() -> subscription.poll(handler, 1) > 0, aeron);
            EchoMessage.encode(message, 0, LENGTH, EchoRequestDecoder.TEMPLATE_ID, 1, 0, 0, new PayloadCheck());
            for (int i = 0; i < WARM_UP_COUNT + COUNT; i++)
            {
                final long sentNs = System.nanoTime();
                while (publication.tryClaim(LENGTH, claim) < 0)
                {
                    Thread.onSpinWait();
                }
                claim.buffer().putBytes(claim.offset(), message, 0, LENGTH);
                claim.commit();
                while (receivedNs - sentNs <= 0)
                {
                    idleStrategy.idle(aeron.conductorAgentInvoker().invoke() + subscription.poll(handler, 1));
                }
                if (i >= WARM_UP_COUNT)
                {
                    bareTimes.recordValue(receivedNs - sentNs);
                }
            }
        }

        return bareTimes.getValueAtPercentile(50);
    }

    private static void await(final java.util.function.BooleanSupplier condition, final Aeron aeron)
    {
        final long deadlineNs = System.nanoTime() + TimeUnit.SECONDS.toNanos(10);
        while (!condition.getAsBoolean())
        {
            aeron.conductorAgentInvoker().invoke();
            assertThat(System.nanoTime()).as("opened in time").isLessThan(deadlineNs);
            Thread.yield();
        }
    }
}

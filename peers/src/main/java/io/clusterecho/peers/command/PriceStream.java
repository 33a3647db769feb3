package io.clusterecho.peers.command;

import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;

import io.clusterecho.client.load.LoopWarmUp;
import io.clusterecho.client.transport.ResponseHandler;
import io.clusterecho.client.transport.SendResult;
import io.clusterecho.client.transport.Transport;
import io.clusterecho.peers.Prices;
import io.clusterecho.reporting.measurement.TimeRecorder;
import io.clusterecho.reporting.results.Percentile;
import io.clusterecho.settings.Quantity;

import org.HdrHistogram.Histogram;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.IdleStrategy;
import org.agrona.concurrent.UnsafeBuffer;

/** Requests a stream of prices and records the time of each since the request. Not thread-safe. */
final class PriceStream implements ResponseHandler
{
    static final String FORMAT = "cluster-echo-price-stream/1";
    /** The rows of the report's tables, and those of every result. */
    private static final List<String> PERCENTILES = List.of(
        "p0", "p10", "p20", "p30", "p40", "p50", "p60", "p70", "p80", "p90", "p95", "p99", "p99.9", "p99.99");
    private static final int POLL_LIMIT = 256;
    private static final long MAX_WARM_UP_COUNT = 100_000;
    private static final long SILENCE_TIMEOUT_NS = 10_000_000_000L;

    private final Transport transport;
    private final long count;
    private final Prices.Reader price = new Prices.Reader();
    private final Histogram times = TimeRecorder.newHistogram();
    private long takenCount;
    private long wrongCount;
    private long requestNs;
    private long lastNs;

    PriceStream(final Transport transport, final long count)
    {
        this.transport = transport;
        this.count = count;
    }

    /**
     * Request streams of at most 100,000 prices, one after the other, until the warm-up is over or a stream is not complete.
     *
     * @param count of the prices to measure, which no stream exceeds.
     */
    static void warmUp(
        final Transport transport, final long count, final LoopWarmUp warmUp, final IdleStrategy idleStrategy)
    {
        final long streamCount = Math.min(count, MAX_WARM_UP_COUNT);
        long totalCount = 0;
        boolean isComplete = true;
        while (isComplete && !warmUp.isOver(System.nanoTime(), totalCount))
        {
            isComplete = streamCount == new PriceStream(transport, streamCount).run(idleStrategy).takenCount;
            totalCount += streamCount;
        }
    }

    /** Run until the last price, or until no price comes for 10 s. */
    PriceStream run(final IdleStrategy idleStrategy)
    {
        final UnsafeBuffer request = new UnsafeBuffer(new byte[Prices.ENCODED_LENGTH]);
        final int requestLength = Prices.encodeRequest(count, request);
        requestNs = System.nanoTime();
        lastNs = requestNs;
        boolean isSent = false;
        while (takenCount < count && System.nanoTime() - lastNs < SILENCE_TIMEOUT_NS)
        {
            if (!isSent)
            {
                requestNs = System.nanoTime();
                isSent = SendResult.SENT == transport.trySendOneWay(request, 0, requestLength);
            }
            idleStrategy.idle(transport.poll(this, POLL_LIMIT));
        }

        return this;
    }

    /** As the command prints it. */
    WorkloadCommand.Result result(final LoopWarmUp warmUp)
    {
        final Figures figures = figures();
        return new WorkloadCommand.Result(FORMAT, count == takenCount && 0 == wrongCount, figures, String.format(
            Locale.ROOT, "%,d of %,d prices, %,d wrong, in %s: %,d/s, %,.1f MB/s%s%n%s since the request", takenCount, count,
            wrongCount, Quantity.formatNs(figures.durationNs), figures.ratePerSecond, figures.bytesPerSecond / 1e6, warmUp.text(),
            Arrays.stream(Percentile.values()).map((one) -> "  " + one.label() + " " + one.text(times))
                .collect(Collectors.joining())));
    }

    Figures figures()
    {
        final long durationNs = 0 == takenCount ? 0 : lastNs - requestNs;
        final double rate = 0 == durationNs ? 0 : takenCount * 1e9 / durationNs;
        final Map<String, Long> percentiles = new LinkedHashMap<>();
        for (final String label : PERCENTILES)
        {
            final double percent = Double.parseDouble(label.substring(1));
            percentiles.put(label, Percentile.isStated(percent, takenCount) ? (Long)times.getValueAtPercentile(percent) : null);
        }
        percentiles.put(Percentile.MAX.label(), Percentile.MAX.of(times));
        return new Figures(
            count, takenCount, wrongCount, durationNs, Math.round(rate), Math.round(rate * Prices.CONTENT_LENGTH), percentiles);
    }

    @Override
    public void onResponse(final DirectBuffer buffer, final int offset, final int length, final long receiveTimeNs)
    {
        if (!price.wrap(buffer, offset, length))
        {
            wrongCount++;
            return;
        }
        if (!price.is(takenCount))
        {
            wrongCount++;
        }
        takenCount++;
        lastNs = receiveTimeNs;
        times.recordValue(Math.min(TimeRecorder.MAX_TIME_NS, receiveTimeNs - requestNs));
    }

    /**
     * The result.
     *
     * @param wrong          messages that are not a price, or not the next one with all of its values.
     * @param durationNs     from the request to the last price.
     * @param sinceRequestNs time of each price since the request, by percentile: {@code p0} to {@code max}, null where
     *                       fewer than ten values are beyond.
     */
    record Figures(
        long asked, long count, long wrong, long durationNs, long ratePerSecond, long bytesPerSecond,
        Map<String, Long> sinceRequestNs)
    {
    }
}

package io.clusterecho.attribution;

import java.util.Comparator;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

import io.clusterecho.text.Lines;

/**
 * Where the time of the slowest 1% of the messages went, or where these are more than were kept, of those.
 *
 * @param messages       whose time this is.
 * @param share          of all messages that these are, from 0 to 1.
 * @param responseTimeNs sum of their response times.
 * @param partsNs        sums of their parts, which add up to that.
 * @param slowest        the slowest of them, at most ten, the slowest first.
 */
public record SlowTail(int messages, double share, long responseTimeNs, Map<Part, Long> partsNs, List<SlowMessage> slowest)
{
    private static final double TAIL = 0.01;
    private static final double DECIMALS = 1e6;
    private static final int SHOWN = 10;
    /** Parts with less of the time are not named in the text. */
    private static final double LEAST_SHARE = 0.005;

    /**
     * The tail of a run.
     *
     * @param kept  the slowest first, or null if they are not known.
     * @param total all messages of the window.
     * @return null if the slowest messages are not known, or there are none.
     */
    public static SlowTail of(final List<SlowMessage> kept, final long total)
    {
        if (null == kept || kept.isEmpty())
        {
            return null;
        }

        final int count = (int)Math.min(kept.size(), Math.ceil(TAIL * total));
        final Map<Part, Long> sums = new EnumMap<>(Part.class);
        kept.stream().limit(count).forEach((message) -> message.partsNs().forEach((part, ns) -> sums.merge(part, ns, Long::sum)));
        return new SlowTail(
            count, Math.round(DECIMALS * count / total) / DECIMALS, sums.values().stream().mapToLong(Long::longValue).sum(), sums,
            kept.stream().limit(Math.min(count, SHOWN)).toList());
    }

    /** As in {@code of the time of the slowest 1.00% (600 messages): 46% quorum, 22% log}; the largest part first. */
    public String text()
    {
        return Lines.text(
            "of the time of the slowest " + (share < 0.0001 ? "%.4f" : "%.2f") + "%% (%,d message%s): ", 100 * share,
            messages, 1 == messages ? "" : "s") + partsNs.entrySet().stream()
            .filter((part) -> part.getValue() >= LEAST_SHARE * responseTimeNs)
            .sorted(Map.Entry.comparingByValue(Comparator.reverseOrder()))
            .map((part) -> Lines.text("%.0f%% %s", 100.0 * part.getValue() / responseTimeNs, part.getKey().label()))
            .collect(Collectors.joining(", "));
    }
}

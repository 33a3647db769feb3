package io.clusterecho.attribution;

import java.util.Comparator;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;

import com.fasterxml.jackson.annotation.JsonInclude;

import io.clusterecho.text.Lines;

/**
 * Where the time of the slowest 1% of the messages went, or where these are more than were kept, of those.
 *
 * @param messages       whose time this is.
 * @param share          of all messages that these are, from 0 to 1.
 * @param responseTimeNs sum of their response times.
 * @param partsNs        sums of their parts, which add up to that.
 * @param causes         sums of their causes, which add up to that, in the order of the path; none if threads were not followed.
 * @param slowest        the slowest of them, at most ten, the slowest first.
 */
public record SlowTail(
    int messages, double share, long responseTimeNs, Map<Part, Long> partsNs,
    @JsonInclude(JsonInclude.Include.NON_EMPTY) List<Cause> causes, List<SlowMessage> slowest)
{
    private static final double TAIL = 0.01;
    private static final double DECIMALS = 1e6;
    private static final int SHOWN = 10;
    private static final double LEAST_KNOWN = 0.8;
    /** Parts and causes with less of the time are not named in the text. */
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
        final List<SlowMessage> tail = kept.subList(0, count);
        tail.forEach((message) -> message.partsNs().forEach((part, ns) -> sums.merge(part, ns, Long::sum)));
        return new SlowTail(
            count, Math.round(DECIMALS * count / total) / DECIMALS, sums.values().stream().mapToLong(Long::longValue).sum(), sums,
            Cause.sums(tail.stream().flatMap((one) -> one.causes().stream())),
            tail.subList(0, Math.min(count, SHOWN)));
    }

    /** Whether it is known of four fifths of the time what threads did. */
    public boolean isExplained()
    {
        return causes.stream().filter((one) -> Cause.State.UNKNOWN != one.state()).mapToLong(Cause::timeNs).sum() >
            LEAST_KNOWN * responseTimeNs;
    }

    /**
     * As in {@code of the time of the slowest 1.00% (600 messages): 46% quorum, 22% log}; the largest part first. Causes are in a
     * second line, as in {@code causes     46% member-1 duty-cycle waited for a core (hog), 54% no thread was held up}.
     */
    public String text()
    {
        return Lines.text(
            "of the time of the slowest " + (share < 0.0001 ? "%.4f" : "%.2f") + "%% (%,d message%s): ", 100 * share,
            messages, 1 == messages ? "" : "s") + shares(partsNs, Part::label) + (causes.isEmpty() ? "" :
            "\ncauses     " + shares(causes.stream().collect(Collectors.groupingBy(
            Cause::words, Collectors.summingLong(Cause::timeNs))), Function.identity()));
    }

    private <T> String shares(final Map<T, Long> timesNs, final Function<T, String> name)
    {
        return timesNs.entrySet().stream().filter((one) -> one.getValue() >= LEAST_SHARE * responseTimeNs)
            .sorted(Map.Entry.comparingByValue(Comparator.reverseOrder()))
            .map((one) -> Lines.text("%.0f%% %s", 100.0 * one.getValue() / responseTimeNs, name.apply(one.getKey())))
            .collect(Collectors.joining(", "));
    }
}

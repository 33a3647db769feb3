package io.clusterecho.attribution;

import java.util.Arrays;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.stream.Stream;

/**
 * The slowest messages that one thread records, each with the parts of its response time. A message is admitted only if it is
 * slower than the fastest of those that are kept, so most cost one comparison. Recording does not allocate. Read once the thread
 * has ended.
 */
public final class SlowestMessages
{
    /** Messages that are kept. */
    public static final int CAPACITY = 1_000;

    /** A time that is not known. */
    public static final long UNKNOWN_NS = -1;

    private static final Part[] PARTS = Part.values();

    /** The fastest first, before it those without a message yet. */
    private final PriorityQueue<Row> rows = new PriorityQueue<>(Comparator.comparingLong((Row row) -> row.responseTimeNs));
    /** Response time of the first. */
    private long leastNs = Row.NONE;

    public SlowestMessages()
    {
        this(CAPACITY);
    }

    SlowestMessages(final int capacity)
    {
        Stream.generate(Row::new).limit(capacity).forEach(rows::add);
    }

    /** A message that is kept, until a slower one takes its row. */
    public static final class Row
    {
        private static final long NONE = Long.MIN_VALUE;

        private long number;
        private long dueNs;
        private long responseTimeNs = NONE;
        private boolean isAnswered;
        private final long[] partsNs = new long[PARTS.length];

        /** A message has these stage times, which are in order, if it still has the row; both times are on the client's clock. */
        public void onStages(final long ofNumber, final StageStamps stamps, final long sendNs, final long receiveNs)
        {
            if (ofNumber != number)
            {
                return;
            }

            stamps.divide(sendNs, receiveNs, partsNs);
            final int last = (stamps.isSameClock() ? Part.TO_CLIENT : Part.UNKNOWN).ordinal();
            // The kernel stamps the arrival with the time of day: it can be before the reply was made by the error of that.
            final long latenessNs = Math.min(partsNs[Part.RECEIVE_LATENESS.ordinal()], partsNs[last]);
            set(Part.RECEIVE_LATENESS, latenessNs);
            partsNs[last] -= Math.max(0, latenessNs);
        }

        private void set(final Part part, final long timeNs)
        {
            partsNs[part.ordinal()] = timeNs;
        }

        private SlowMessage message()
        {
            final Map<Part, Long> parts = new EnumMap<>(Part.class);
            Stream.of(PARTS).filter((part) -> UNKNOWN_NS != partsNs[part.ordinal()])
                .forEach((part) -> parts.put(part, partsNs[part.ordinal()]));
            return new SlowMessage(number, dueNs, responseTimeNs, isAnswered, parts, null);
        }
    }

    /**
     * The first reply to a message was received, or the run has ended without one: then all times are up to its end.
     *
     * @param dueNs             since the start of the schedule.
     * @param responseTimeNs    receive - due.
     * @param serviceTimeNs     receive - send, or 0 if it was not sent.
     * @param sendDelayNs       send - due, or 0 where the transport held the message up.
     * @param receiveLatenessNs receive - arrival, or {@link #UNKNOWN_NS}.
     * @return row of the message, null if it is not kept.
     */
    public Row add(
        final long number,
        final long dueNs,
        final long responseTimeNs,
        final long serviceTimeNs,
        final long sendDelayNs,
        final long receiveLatenessNs,
        final boolean isAnswered)
    {
        if (responseTimeNs <= leastNs)
        {
            return null;
        }

        final Row row = rows.remove();
        row.number = number;
        row.dueNs = dueNs;
        row.responseTimeNs = responseTimeNs;
        row.isAnswered = isAnswered;
        Arrays.fill(row.partsNs, UNKNOWN_NS);
        final long waitNs = responseTimeNs - serviceTimeNs;
        row.set(sendDelayNs < waitNs ? Part.BACK_PRESSURE : Part.SEND_DELAY, waitNs);
        row.set(Part.RECEIVE_LATENESS, receiveLatenessNs);
        row.set(Part.UNKNOWN, serviceTimeNs - Math.max(0, receiveLatenessNs));
        rows.add(row);
        leastNs = rows.peek().responseTimeNs;
        return row;
    }

    /** The messages kept, the slowest first. */
    public List<SlowMessage> list()
    {
        return SlowMessage.slowest(List.of(
            rows.stream().filter((row) -> Row.NONE != row.responseTimeNs).map(Row::message).toList()));
    }
}

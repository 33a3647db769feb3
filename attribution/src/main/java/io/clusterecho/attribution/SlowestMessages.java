package io.clusterecho.attribution;

import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * The slowest messages that one thread records, each with the parts of its response time. A heap admits a message only if it is
 * slower than the fastest of those that it keeps, so most messages cost one comparison. Recording does not allocate. Read once
 * the thread has ended.
 */
public final class SlowestMessages
{
    /** Messages that are kept. */
    public static final int CAPACITY = 1_000;

    /** A time that is not known. */
    public static final long UNKNOWN_NS = -1;

    private static final long NONE = Long.MIN_VALUE;
    private static final Part[] PARTS = Part.values();
    private static final int NUMBER = PARTS.length;
    private static final int DUE = NUMBER + 1;
    private static final int IS_ANSWERED = DUE + 1;
    private static final int WIDTH = IS_ANSWERED + 1;

    /** Response times in ns, the least at the root, and beside each its row; {@link #NONE} where no message is kept yet. */
    private final long[] timesNs;
    private final int[] rows;
    /** What is known of the messages, in rows. */
    private final long[] fields;
    private int newestOffset;

    public SlowestMessages()
    {
        this(CAPACITY);
    }

    SlowestMessages(final int capacity)
    {
        timesNs = new long[capacity];
        rows = new int[capacity];
        fields = new long[capacity * WIDTH];
        Arrays.fill(timesNs, NONE);
        Arrays.setAll(rows, (place) -> place);
    }

    /**
     * The first reply to a message was received.
     *
     * @param dueNs             since the start of the schedule.
     * @param responseTimeNs    receive - due.
     * @param serviceTimeNs     receive - send.
     * @param sendDelayNs       send - due, or 0 where the transport held the message up.
     * @param receiveLatenessNs receive - arrival, or {@link #UNKNOWN_NS}.
     * @return row of the message, until another one takes it; -1 if it is not kept.
     */
    public int onAnswered(
        final long number,
        final long dueNs,
        final long responseTimeNs,
        final long serviceTimeNs,
        final long sendDelayNs,
        final long receiveLatenessNs)
    {
        return responseTimeNs <= timesNs[0] ? -1 :
            admit(number, dueNs, responseTimeNs, serviceTimeNs, sendDelayNs, receiveLatenessNs, 1);
    }

    /** A message has no reply; times are up to the end of the run, and 0 since it was sent if it was not. */
    public void onUnanswered(
        final long number, final long dueNs, final long ageNs, final long sinceSentNs, final boolean isHeldUp)
    {
        if (ageNs > timesNs[0])
        {
            admit(number, dueNs, ageNs, sinceSentNs, isHeldUp ? 0 : ageNs - sinceSentNs, UNKNOWN_NS, 0);
        }
    }

    /** The message of a row has these stage times, which are in order; both times are on the client's clock. */
    public void onStages(final int row, final long number, final StageStamps stamps, final long sendNs, final long receiveNs)
    {
        if (row < 0 || number != fields[row * WIDTH + NUMBER])
        {
            return;
        }

        newestOffset = row * WIDTH;
        final long takenNs = stamps.takenNs();
        final long servedNs = stamps.servedNs();
        final boolean isSameClock = stamps.isSameClock();
        set(Part.LOG, stamps.loggedNs() - takenNs);
        set(Part.QUORUM, stamps.committedNs() - stamps.loggedNs());
        set(Part.TO_SERVICE, servedNs - stamps.committedNs());
        final long restNs = isSameClock ? receiveNs - servedNs : receiveNs - sendNs - (servedNs - takenNs);
        // The kernel stamps the arrival with the time of day: it can be before the reply was made by the error of that.
        final long latenessNs = Math.min(fields[newestOffset + Part.RECEIVE_LATENESS.ordinal()], restNs);
        set(Part.RECEIVE_LATENESS, latenessNs);
        set(Part.TO_LEADER, isSameClock ? takenNs - sendNs : UNKNOWN_NS);
        set(Part.TO_CLIENT, isSameClock ? restNs - Math.max(0, latenessNs) : UNKNOWN_NS);
        set(Part.UNKNOWN, isSameClock ? UNKNOWN_NS : restNs - Math.max(0, latenessNs));
    }

    /** The messages kept, the slowest first. */
    public List<SlowMessage> list()
    {
        return SlowMessage.slowest(List.of(IntStream.range(0, rows.length).filter((place) -> NONE != timesNs[place])
            .mapToObj((place) -> message(rows[place] * WIDTH, timesNs[place])).toList()));
    }

    private SlowMessage message(final int offset, final long responseTimeNs)
    {
        final Map<Part, Long> parts = new EnumMap<>(Part.class);
        Stream.of(PARTS).filter((part) -> UNKNOWN_NS != fields[offset + part.ordinal()])
            .forEach((part) -> parts.put(part, fields[offset + part.ordinal()]));
        return new SlowMessage(
            fields[offset + NUMBER], fields[offset + DUE], responseTimeNs, 1 == fields[offset + IS_ANSWERED],
            parts, null);
    }

    private int admit(
        final long number,
        final long dueNs,
        final long responseTimeNs,
        final long serviceTimeNs,
        final long sendDelayNs,
        final long receiveLatenessNs,
        final int isAnswered)
    {
        final int row = rows[0];
        newestOffset = row * WIDTH;
        Arrays.fill(fields, newestOffset, newestOffset + PARTS.length, UNKNOWN_NS);
        fields[newestOffset + NUMBER] = number;
        fields[newestOffset + DUE] = dueNs;
        fields[newestOffset + IS_ANSWERED] = isAnswered;
        final long waitNs = responseTimeNs - serviceTimeNs;
        set(sendDelayNs < waitNs ? Part.BACK_PRESSURE : Part.SEND_DELAY, waitNs);
        set(Part.RECEIVE_LATENESS, receiveLatenessNs);
        set(Part.UNKNOWN, serviceTimeNs - Math.max(0, receiveLatenessNs));
        replaceLeast(responseTimeNs, row);
        return row;
    }

    private void set(final Part part, final long timeNs)
    {
        fields[newestOffset + part.ordinal()] = timeNs;
    }

    private void replaceLeast(final long timeNs, final int row)
    {
        int place = 0;
        int child = 1;
        while (child < rows.length)
        {
            if (child + 1 < rows.length && timesNs[child + 1] < timesNs[child])
            {
                child++;
            }
            if (timesNs[child] >= timeNs)
            {
                break;
            }
            timesNs[place] = timesNs[child];
            rows[place] = rows[child];
            place = child;
            child = 2 * place + 1;
        }
        timesNs[place] = timeNs;
        rows[place] = row;
    }
}

package io.clusterecho.client.calibration;

import io.clusterecho.reporting.document.Documents;

/**
 * What the client's clock costs and resolves.
 *
 * @param readNs      time of a reading in ns, with one decimal: mean of the fastest 65,536 in a row.
 * @param stepNs      smallest difference of two readings that were not equal, in ns: the clock resolves no less.
 * @param equalShare  share of readings equal to the one before, 0 to 1, with six decimals.
 * @param backCount   readings that were earlier than the one before.
 */
public record ClockCost(double readNs, long stepNs, double equalShare, long backCount)
{
    private static final int READ_COUNT = 1 << 16;

    /**
     * Measure {@link System#nanoTime()} on this thread.
     *
     * @param timeNs of the measurement, in ns; at least 65,536 readings are made.
     */
    public static ClockCost measure(final long timeNs)
    {
        final long[] readings = new long[READ_COUNT];
        final long beginNs = System.nanoTime();
        long stepNs = Long.MAX_VALUE;
        long equalCount = 0;
        long backCount = 0;
        double readNs = Double.MAX_VALUE;
        long count = 0;
        do
        {
            for (int i = 0; i < READ_COUNT; i++)
            {
                readings[i] = System.nanoTime();
            }
            // The fastest round: slower ones were interrupted, or not compiled yet.
            readNs = Math.min(readNs, (double)(readings[READ_COUNT - 1] - readings[0]) / (READ_COUNT - 1));
            for (int i = 1; i < READ_COUNT; i++)
            {
                final long differenceNs = readings[i] - readings[i - 1];
                equalCount += 0 == differenceNs ? 1 : 0;
                backCount += differenceNs < 0 ? 1 : 0;
                stepNs = differenceNs > 0 ? Math.min(stepNs, differenceNs) : stepNs;
            }
            count += READ_COUNT - 1;
        }
        while (System.nanoTime() - beginNs < timeNs);

        return new ClockCost(
            Documents.rounded(readNs, 1), stepNs, Documents.rounded((double)equalCount / count, 6), backCount);
    }
}

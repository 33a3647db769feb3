package io.clusterecho.reporting.diagnosis;

import java.util.Optional;
import java.util.function.BiFunction;
import java.util.function.ToDoubleBiFunction;

import io.clusterecho.reporting.results.TailCause;

/**
 * One known cause of slow replies.
 *
 * @param amount   of the cause in a row, 0 if too little to matter.
 * @param graveSum amount in a run from which the cause is reported even if no reply was slow at that time.
 * @param cause    sentence with numbers, made from the observation and the amount in the run.
 */
record Rule(
    String name,
    ToDoubleBiFunction<Observation, Integer> amount,
    double graveSum,
    BiFunction<Observation, Double, String> cause,
    String advice)
{
    private static final double LEAST_SHARE = 0.2;
    /** A cause present more often than this slows all replies, so no row is slower than the others. */
    private static final double USUALLY_PRESENT = 0.5;

    /** The cause; empty if it is absent, or is neither frequent nor where replies were slow. */
    Optional<TailCause> look(final Observation seen)
    {
        final int count = seen.rowCount();
        final boolean[] isThere = new boolean[count];
        double sum = 0;
        int presentCount = 0;
        for (int row = 0; row < count; row++)
        {
            final double amountOfRow = amount.applyAsDouble(seen, row);
            sum += amountOfRow;
            isThere[row] = amountOfRow > 0;
            presentCount += isThere[row] ? 1 : 0;
        }
        if (0 == sum)
        {
            return Optional.empty();
        }

        double excessMs = 0;
        double coveredMs = 0;
        for (int row = 0; row < count; row++)
        {
            // A cause is counted up to a second late, and its effect lasts until the backlog is gone.
            final boolean isNear =
                isThere[row] || row > 0 && isThere[row - 1] || row + 1 < count && isThere[row + 1];
            excessMs += seen.excessMs(row);
            coveredMs += isNear ? seen.excessMs(row) : 0;
        }
        final double share = 0 == excessMs ? 0 : coveredMs / excessMs;
        final double present = (double)presentCount / count;
        return share >= LEAST_SHARE || present >= USUALLY_PRESENT || sum >= graveSum ?
            Optional.of(new TailCause(name, cause.apply(seen, sum), advice, present, share)) : Optional.empty();
    }
}

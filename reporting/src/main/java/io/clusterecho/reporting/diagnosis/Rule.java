package io.clusterecho.reporting.diagnosis;

import java.util.Optional;
import java.util.function.ToDoubleBiFunction;

import io.clusterecho.reporting.results.TailCause;

/**
 * One known cause of slow replies.
 *
 * @param name     of it.
 * @param amount   how much of it there was in a row, 0 where it was too little to matter.
 * @param graveSum amount of a run from which on it is told even if no reply was slow at that time.
 * @param cause    as a sentence with numbers, given what was seen and the amount of the run.
 * @param advice   which setting to try.
 */
record Rule(
    String name,
    ToDoubleBiFunction<Observation, Integer> amount,
    double graveSum,
    Sentence cause,
    String advice)
{
    private static final double LEAST_SHARE = 0.2;
    /** What is there so often makes all replies slow, and then none stands out. */
    private static final double USUALLY_PRESENT = 0.5;

    /** Puts a cause into words. */
    @FunctionalInterface
    interface Sentence
    {
        String of(Observation seen, double amount);
    }

    /**
     * Look for it.
     *
     * @param seen of a run.
     * @return what was found, or empty if it was not there, or neither usually nor where replies were slow.
     */
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
            // A cause is counted up to a second late, and is felt until what it held up has gone through.
            final boolean isNear =
                isThere[row] || row > 0 && isThere[row - 1] || row + 1 < count && isThere[row + 1];
            excessMs += seen.excessMs(row);
            coveredMs += isNear ? seen.excessMs(row) : 0;
        }
        final double share = 0 == excessMs ? 0 : coveredMs / excessMs;
        final double present = (double)presentCount / count;
        return share >= LEAST_SHARE || present >= USUALLY_PRESENT || sum >= graveSum ?
            Optional.of(new TailCause(name, cause.of(seen, sum), advice, present, share)) : Optional.empty();
    }
}

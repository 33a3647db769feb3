package io.clusterecho.client.maxrate;

/**
 * Upper bound of the trials that follow, if results repeat: a rate that failed all its attempts fails again, and the confirmed
 * rate passes. Failed attempts before a pass are included.
 *
 * @param search  trials that find the answer, at most.
 * @param confirm trials that confirm it, at most.
 */
public record TrialsLeft(int search, int confirm)
{
    int count()
    {
        return search + confirm;
    }

    TrialsLeft plus(final int searchTrials)
    {
        return new TrialsLeft(search + searchTrials, confirm);
    }

    TrialsLeft max(final TrialsLeft other)
    {
        return new TrialsLeft(Math.max(search, other.search), Math.max(confirm, other.confirm));
    }
}

package io.clusterecho.control.member;

import java.util.Comparator;
import java.util.List;

/** The elections of members on several hosts, a watch for each. */
public record ElectionWatches(List<ElectionWatch> watches) implements ElectionWatch
{
    @Override
    public List<Change> since(final long timeNs)
    {
        return watches.stream().flatMap((watch) -> watch.since(timeNs).stream())
            .sorted(Comparator.comparingLong((change) -> change.timeNs() - timeNs)).toList();
    }

    @Override
    public void close()
    {
        watches.forEach(ElectionWatch::close);
    }
}

package io.clusterecho.control.member;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

import io.clusterecho.media.counters.ProcessSource;

/** The backup of a cluster, on this machine or on a host of an inventory. */
public interface Backup extends Node
{
    @Override
    default String name()
    {
        return "the backup";
    }

    /** Last line of its output that is not of a stack trace, empty if there is none. */
    default String lastLine()
    {
        final List<String> lines = output().stream()
            .filter((line) -> !line.matches("\\s.*|Caused by: .*|---- start .*|backup stopped, .*")).toList();
        return lines.isEmpty() ? "" : lines.get(lines.size() - 1);
    }

    /** Its counters, read without disturbing it; empty if it does not run or has none yet. */
    @Asked(seconds = 1, isAtOnce = true, isOfAny = true)
    Optional<BackupCounters> counters();

    /** As {@link #sources()}, with its lag behind the members of its cluster; without members the lag is not known. */
    default List<ProcessSource> sources(final List<? extends ClusterMember> members)
    {
        final List<ProcessSource> sources = new ArrayList<>(sources());
        if (!members.isEmpty() && !sources.isEmpty())
        {
            sources.set(0, new BackupSource(sources.get(0), this, members));
        }
        return sources;
    }
}

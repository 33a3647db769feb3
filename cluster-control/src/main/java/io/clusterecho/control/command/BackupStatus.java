package io.clusterecho.control.command;

import java.io.PrintStream;
import java.time.Instant;
import java.util.Optional;
import java.util.OptionalLong;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;

import io.clusterecho.control.cluster.Cluster;
import io.clusterecho.control.member.Backup;
import io.clusterecho.control.member.BackupCounters;
import io.clusterecho.control.member.ClusterMember;
import io.clusterecho.control.member.ControlFailure;
import io.clusterecho.control.member.Endings;
import io.clusterecho.control.member.MemberCounters;
import io.clusterecho.control.member.MemberErrors;
import io.clusterecho.settings.InvalidSettingException;

/**
 * State of the backup of a cluster at one moment: its pid, -1 if it does not run, counters unless it has none yet, the
 * committed bytes that it lacks if that is known, errors logged since its last start, and how it ended and what to do.
 */
public record BackupStatus(
    Backup backup, long pid, Optional<BackupCounters> counters, OptionalLong lag, MemberErrors errors, String ending)
{
    static BackupStatus of(final Backup backup, final Cluster cluster)
    {
        try
        {
            return read(backup, cluster);
        }
        catch (final ControlFailure | InvalidSettingException ex)
        {
            return new BackupStatus(
                backup, -1, Optional.empty(), OptionalLong.empty(), MemberErrors.NONE, ex.getMessage());
        }
    }

    private static BackupStatus read(final Backup backup, final Cluster cluster)
    {
        final long pid = backup.pid().orElse(-1);
        // First: what is committed in between must not make the lag shorter.
        final Optional<BackupCounters> counters = backup.counters();
        final OptionalLong committed = cluster.members().stream().map(ClusterMember::counters).flatMap(Optional::stream)
            .mapToLong(MemberCounters::commitPosition).max();
        final OptionalLong lag = committed.isEmpty() || counters.isEmpty() || 0 == counters.get().position() ?
            OptionalLong.empty() : OptionalLong.of(Math.max(0, committed.getAsLong() - counters.get().position()));
        final String ending = pid >= 0 ? "" :
            "the backup" + onHost(backup) + " " + Endings.how(backup) + "; the members serve without it; start it again with: " +
            Endings.startCommand(cluster.members(), cluster.config().baseDir());
        return new BackupStatus(backup, pid, counters, lag, backup.errors(), ending);
    }

    private static String onHost(final Backup backup)
    {
        return backup.hostName().isEmpty() ? "" : " on host " + backup.hostName();
    }

    /** Whether the backup runs; false also if its host does not answer. */
    public boolean isAlive()
    {
        return pid >= 0;
    }

    void print(final PrintStream out)
    {
        if (!isAlive())
        {
            out.println(ending);
            out.println("          its output is in " + backup.logFile());
            return;
        }

        final String behind = lag.isPresent() ? lag.getAsLong() + " bytes behind" : "lag unknown";
        out.println("backup   " + onHost(backup) + " pid " + pid + "  " + counters.map(
            (found) -> found.text() + ", position " + found.position() + ", " + behind).orElse("starting"));
        if (errors.distinctCount() > 0)
        {
            out.printf(
                "backup    last of %d errors, %s: %s%n", errors.observationCount(), Instant.ofEpochMilli(errors.lastTimeMs()),
                errors.last());
        }
    }

    JsonNode asJson()
    {
        final ObjectNode json = StatusReport.newObject();
        json.put("host", backup.hostName());
        json.put("alive", isAlive());
        json.put("pid", pid);
        json.put("ending", ending);
        counters.ifPresent((found) -> json.put("state", found.state()).put("copying", found.isCopying())
            .put("position", found.position()).put("snapshots", found.snapshotCount()));
        lag.ifPresent((bytes) -> json.put("lagBytes", bytes));
        json.put("distinctErrors", errors.distinctCount());
        json.put("lastError", errors.last());
        json.put("log", backup.logFile().toString());
        return json;
    }
}

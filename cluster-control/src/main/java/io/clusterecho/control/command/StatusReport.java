package io.clusterecho.control.command;

import java.io.PrintStream;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;

import io.clusterecho.control.cluster.Cluster;
import io.clusterecho.control.member.BackupCounters;
import io.clusterecho.control.member.ClusterMember;
import io.clusterecho.control.member.ControlFailure;
import io.clusterecho.control.member.Deadline;
import io.clusterecho.control.member.Endings;
import io.clusterecho.control.member.MemberCounters;
import io.clusterecho.control.member.MemberErrors;
import io.clusterecho.control.member.MemberHost;
import io.clusterecho.control.member.MemberVersion;
import io.clusterecho.control.member.Node;
import io.clusterecho.media.counters.ServiceCounter;
import io.clusterecho.settings.InvalidSettingException;
import io.clusterecho.text.TextTable;

/** State of the members of a cluster at one moment, in the order of their ids, and of its backup if it has one. */
public record StatusReport(List<MemberStatus> members, Optional<BackupStatus> backup)
{
    /** In JSON names are in camel case, as in {@code appliedAfterGap}. */
    private static final Pattern WORD_BREAK = Pattern.compile("_(.)");

    /**
     * State of one member: its pid, -1 if it does not run, counters unless it has none yet, errors logged since its last
     * start, how it ended and what to do, or why that is unknown, whether its host could be asked, and the version of its last
     * process.
     */
    public record MemberStatus(
        ClusterMember member,
        long pid,
        Optional<MemberCounters> counters,
        MemberErrors errors,
        String ending,
        boolean isKnown,
        Optional<MemberVersion> version)
    {
        static MemberStatus of(final ClusterMember member, final Cluster cluster)
        {
            long pid = -1;
            try
            {
                pid = member.pid().orElse(-1);
                final String ending = pid >= 0 ? "" :
                    Endings.text(member, cluster.members(), cluster.config().baseDir());
                return new MemberStatus(member, pid, member.counters(), member.errors(), ending, true,
                    MemberVersion.of(member));
            }
            catch (final ControlFailure | InvalidSettingException ex)
            {
                return new MemberStatus(member, pid, Optional.empty(), MemberErrors.NONE, ex.getMessage(), false,
                    Optional.empty());
            }
        }

        public boolean isAlive()
        {
            return pid >= 0;
        }
    }

    /**
     * State of the backup of a cluster at one moment: its pid, -1 if it does not run, counters unless it has none yet, the
     * committed bytes that it lacks if that is known, errors logged since its last start, and how it ended and what to do.
     */
    public record BackupStatus(
        Node backup, long pid, Optional<BackupCounters> counters, OptionalLong lag, MemberErrors errors, String ending)
    {
        static BackupStatus of(final Node backup, final Cluster cluster)
        {
            try
            {
                final long pid = backup.pid().orElse(-1);
                // First: what is committed in between must not make the lag shorter.
                final Optional<BackupCounters> counters = backup.backupCounters();
                final OptionalLong committed = cluster.members().stream().map(ClusterMember::counters).flatMap(Optional::stream)
                    .mapToLong(MemberCounters::commitPosition).max();
                final OptionalLong lag = committed.isEmpty() || counters.isEmpty() || 0 == counters.get().position() ?
                    OptionalLong.empty() : OptionalLong.of(Math.max(0, committed.getAsLong() - counters.get().position()));
                final String ending = pid >= 0 ? "" : "the backup" + onHost(backup) + " " + Endings.how(backup) +
                    "; the members serve without it; start it again with: " +
                    Endings.startCommand(cluster.members(), cluster.config().baseDir());
                return new BackupStatus(backup, pid, counters, lag, backup.errors(), ending);
            }
            catch (final ControlFailure | InvalidSettingException ex)
            {
                return new BackupStatus(
                    backup, -1, Optional.empty(), OptionalLong.empty(), MemberErrors.NONE, ex.getMessage());
            }
        }

        private static String onHost(final Node backup)
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
            printErrors(out, "backup  ", errors);
        }

        JsonNode asJson()
        {
            final ObjectNode json = json(backup, pid, ending, errors);
            counters.ifPresent((found) -> json.put("state", found.state()).put("copying", found.isCopying())
                .put("position", found.position()).put("snapshots", found.snapshotCount()));
            lag.ifPresent((bytes) -> json.put("lagBytes", bytes));
            return json;
        }
    }

    /** Read the state of one member, whose id must be of the cluster, or of all members and the backup for null. */
    public static StatusReport of(final Cluster cluster, final Integer memberId)
    {
        final List<ClusterMember> meant =
            null == memberId ? cluster.members() : List.of(cluster.member("--member-id", memberId));
        MemberHost.connect(cluster.hosts());
        return new StatusReport(
            meant.stream().map((member) -> MemberStatus.of(member, cluster)).toList(),
            cluster.backup().filter((ignored) -> null == memberId).map((found) -> BackupStatus.of(found, cluster)));
    }

    /**
     * Whether a member was in a term, still is, and has committed in time what its log had. Without leader or majority it does
     * not, unless nothing is left to commit: in an idle cluster it remains ready until its heartbeat timeout.
     */
    boolean isReady(final Deadline deadline)
    {
        return members.stream().anyMatch((status) -> status.counters().filter(MemberCounters::isSettled)
            .filter((before) -> deadline.await(() -> status.member().counters().filter(MemberCounters::isSettled)
            .filter((now) -> now.commitPosition() >= before.appendPosition()).isPresent())).isPresent());
    }

    /**
     * Whether the cluster is healthy: every member runs, one leads, and all are in its leadership term; its backup, if it has
     * one, runs.
     */
    public boolean isHealthy()
    {
        final List<MemberCounters> settled = members.stream()
            .filter(MemberStatus::isAlive)
            .flatMap((status) -> status.counters().stream())
            .filter(MemberCounters::isSettled)
            .toList();
        return backup.map(BackupStatus::isAlive).orElse(true) && settled.size() == members.size() &&
            settled.stream().filter(MemberCounters::isLeader).count() == 1 &&
            settled.stream().mapToLong(MemberCounters::leadershipTermId).distinct().count() == 1;
    }

    /** The report, with a verdict that depends on what was asked: {@link #isHealthy()} of a cluster, else of one member. */
    public ObjectNode asJson(final boolean isWell)
    {
        final ObjectNode json = JsonNodeFactory.instance.objectNode();
        json.put("well", isWell);
        json.put("leaders", members.stream()
            .filter((status) -> status.counters().map(MemberCounters::isLeader).orElse(false)).count());
        backup.ifPresent((status) -> json.set("backup", status.asJson()));
        members.forEach((status) -> json.withArray("members").add(asJson(status)));
        return json;
    }

    /** Print the report as a table, followed by the non-zero counters of the service and the last errors. */
    public void print(final PrintStream out)
    {
        final TextTable table = new TextTable().left("member").left("pid").left("role").left("state")
            .right("term").right("commit").right("append").right("sessions").right("distinct errors")
            .left("version").left("aeron");
        for (final MemberStatus status : members)
        {
            final Optional<MemberCounters> counters = status.counters();
            table.row(
                status.member().memberId(),
                status.isAlive() ? status.pid() : "-",
                counters.map(MemberCounters::role)
                .orElse(!status.isKnown() ? "unknown" : status.isAlive() ? "starting" : "down"),
                counters.map((c) -> c.isSettled() ? "in a term" : c.stateText()).orElse("-"),
                text(counters.map(MemberCounters::leadershipTermId)),
                text(counters.map(MemberCounters::commitPosition)),
                text(counters.map(MemberCounters::appendPosition)),
                text(counters.map((c) -> (long)c.sessionCount())),
                status.errors().distinctCount(),
                status.version().map(MemberVersion::version).orElse("-"),
                status.version().map(MemberVersion::aeron).orElse("-"));
        }

        out.print(table.text());
        printService(out);
        for (final MemberStatus status : members)
        {
            printErrors(out, "member " + status.member().memberId(), status.errors());
            if (!status.ending().isEmpty())
            {
                out.println((status.isKnown() ? "" : "member " + status.member().memberId() + "  ") + status.ending());
                out.println("          its output is in " + status.member().logFile());
            }
        }
        backup.ifPresent((status) -> status.print(out));
    }

    private static void printErrors(final PrintStream out, final String name, final MemberErrors errors)
    {
        if (errors.distinctCount() > 0)
        {
            out.printf(
                "%s  last of %d errors, %s: %s%n", name, errors.observationCount(), Instant.ofEpochMilli(errors.lastTimeMs()),
                errors.last());
        }
    }

    private void printService(final PrintStream out)
    {
        final TextTable table = new TextTable().left("");
        members.forEach((status) -> table.right(""));
        for (final ServiceCounter counter : ServiceCounter.values())
        {
            final List<Optional<Long>> values = members.stream()
                .map((status) -> status.counters().map((counters) -> counters.service().get(counter))).toList();
            if (values.stream().flatMap(Optional::stream).anyMatch((value) -> 0 != value))
            {
                final String format = ServiceCounter.STATE_CHECKSUM == counter ? "%016x" : "%,d";
                table.row(Stream.concat(Stream.of(counter.label()), values.stream().map((value) ->
                    value.map((v) -> String.format(Locale.ROOT, format, v)).orElse("-"))).toList());
            }
        }
        out.print(table.text());
        final List<MemberCounters> known = members.stream().flatMap((status) -> status.counters().stream()).toList();
        if (!known.isEmpty() && known.stream().allMatch((counters) -> counters.service().isEmpty()))
        {
            out.println("service   without the counters of the echo: the states of members cannot be compared by checksum");
        }
    }

    private static JsonNode asJson(final MemberStatus status)
    {
        final ObjectNode json = json(status.member(), status.pid(), status.ending(), status.errors());
        json.put("memberId", status.member().memberId()).put("ingress", status.member().place().endpoints().ingress());
        status.counters().ifPresent(
            (counters) ->
            {
                json.put("role", counters.role()).put("election", counters.electionState())
                    .put("state", counters.moduleState()).put("leadershipTermId", counters.leadershipTermId())
                    .put("commitPosition", counters.commitPosition()).put("appendPosition", counters.appendPosition())
                    .put("snapshots", counters.snapshotCount()).put("sessions", counters.sessionCount());
                final ObjectNode service = json.putObject("service");
                counters.service().forEach((counter, value) -> service.put(WORD_BREAK.matcher(counter.name()
                    .toLowerCase(Locale.ROOT)).replaceAll((found) -> found.group(1).toUpperCase(Locale.ROOT)), value));
            });
        status.version().ifPresent((version) -> json.put("version", version.version()).put("commit", version.commit())
            .put("aeron", version.aeron()));
        return json;
    }

    private static ObjectNode json(final Node node, final long pid, final String ending, final MemberErrors errors)
    {
        return JsonNodeFactory.instance.objectNode()
            .put("host", node.hostName()).put("alive", pid >= 0).put("pid", pid).put("ending", ending)
            .put("distinctErrors", errors.distinctCount()).put("lastError", errors.last())
            .put("folder", node.dir().toString()).put("aeronFolder", node.aeronDir().toString())
            .put("log", node.logFile().toString());
    }

    private static String text(final Optional<Long> value)
    {
        return value.filter((number) -> number >= 0).map(String::valueOf).orElse("-");
    }
}

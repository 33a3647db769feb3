package io.clusterecho.control.command;

import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.concurrent.locks.LockSupport;

import io.clusterecho.control.cluster.Cluster;
import io.clusterecho.control.cluster.Retention;
import io.clusterecho.control.member.ControlFailure;
import io.clusterecho.control.member.Deadline;
import io.clusterecho.settings.InvalidSettingException;
import io.clusterecho.settings.Quantity;

import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Bounds the disk use of a running cluster. */
@Command(
    name = "retain",
    mixinStandardHelpOptions = true,
    header = "Take a snapshot and purge the log that no member needs any more.",
    description = {
        "",
        "All members take a snapshot. Each then deletes the log before the oldest snapshot that is kept, and older " +
        "snapshots, in whole files of 64 MB or one term. Refused while a member is down; see docs/LIFE.md." },
    exitCodeList = {
        "  0:purged, or nothing to purge",
        "  2:invalid option",
        "  3:no leader, a member is down, or not done in time" })
@CommandHelp(examples = {
        "cluster-node retain",
        "cluster-node retain --every 10m" })
public final class RetainCommand implements Callable<Integer>
{
    private static final long MIN_INTERVAL_NS = 1_000_000_000L;
    private static final int MAX_KEPT = 1000;

    @Mixin
    private BaseDirOption base;

    @Option(
        names = "--every", paramLabel = "TIME",
        description = "Repeat at this interval until stopped by Ctrl-C, or until no member runs (default: once).")
    private String every;

    @Option(
        names = "--keep", paramLabel = "N", defaultValue = "2",
        description = "Snapshots that each member keeps (default: ${DEFAULT-VALUE}).")
    private int keep;

    @Option(
        names = "--deadline", paramLabel = "TIME", defaultValue = "60s",
        description = "Time for each snapshot (default: ${DEFAULT-VALUE}).")
    private String deadline;

    @Override
    public Integer call()
    {
        InvalidSettingException.throwIf(keep < 1 || keep > MAX_KEPT, "--keep", keep, "a whole number from 1 to " + MAX_KEPT);
        Deadline.parse("--deadline", deadline);
        final long intervalNs = intervalNs();
        final Cluster cluster = base.requireCluster(null);
        final Retention retention = new Retention(cluster, keep);
        if (0 == intervalNs)
        {
            retention.run(Deadline.parse("--deadline", deadline), (purged) -> System.out.println(text(purged)));
            return ControlFailure.DONE;
        }

        repeat(cluster, retention, intervalNs);
        return ControlFailure.DONE;
    }

    private long intervalNs()
    {
        if (null == every)
        {
            return 0;
        }

        final long intervalNs = InvalidSettingException.parsed("--every", every, null, Quantity::parseDurationNs);
        InvalidSettingException.throwIf(intervalNs < MIN_INTERVAL_NS, "--every", every, "at least 1s");
        return intervalNs;
    }

    /** A failure is often over by the next time: an election, or a member that is about to be started again. */
    private void repeat(final Cluster cluster, final Retention retention, final long intervalNs)
    {
        long nextNs = System.nanoTime();
        do
        {
            final Instant now = Instant.now().truncatedTo(ChronoUnit.SECONDS);
            try
            {
                retention.run(
                    Deadline.parse("--deadline", deadline), (purged) -> System.out.println(now + " " + text(purged)));
            }
            catch (final ControlFailure ex)
            {
                System.err.println(now + " " + ex.getMessage());
            }
            nextNs = Math.max(nextNs + intervalNs, System.nanoTime());
            while (nextNs - System.nanoTime() > 0)
            {
                LockSupport.parkNanos(Math.min(MIN_INTERVAL_NS, nextNs - System.nanoTime()));
            }
        }
        while (isAnyAlive(cluster));
        System.out.println("No member runs any more.");
    }

    /** A host that does not answer may have a member that runs. */
    private static boolean isAnyAlive(final Cluster cluster)
    {
        return ControlFailure.orElse(cluster::isAnyAlive, true);
    }

    private static String text(final Retention.Purged purged)
    {
        return String.format(
            Locale.ROOT, "%s: %s on disk, before %s; log from position %,d, before %,d; %d snapshots, before %d",
            purged.name(), size(purged.after().diskLength()), size(purged.before().diskLength()),
            purged.after().startPosition(), purged.before().startPosition(),
            purged.after().snapshots().size(), purged.before().snapshots().size());
    }

    private static String size(final long lengthBytes)
    {
        return String.format(Locale.ROOT, "%.1f MB", lengthBytes / (double)(1 << 20));
    }
}

package io.clusterecho.client.calibration;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.stream.Stream;

import io.clusterecho.client.load.Idle;
import io.clusterecho.host.DiskPlace;
import io.clusterecho.media.zone.Placement;
import io.clusterecho.node.config.NodeSettings;
import io.clusterecho.platform.MachineFacts;
import io.clusterecho.process.CommandHint;
import io.clusterecho.reporting.results.ClientRecord;
import io.clusterecho.reporting.results.DocumentKind;
import io.clusterecho.reporting.results.FloorRatio;
import io.clusterecho.reporting.results.RunDescription;
import io.clusterecho.settings.InvalidSettingException;
import io.clusterecho.settings.SettingKeys;

/**
 * Baselines that the floor of a run may come from: one given by the user, or those in the folder of results; and the
 * calibrations there. Read once, before the first run. Immutable and safe for any thread.
 *
 * @param isNamed      whether the user named it.
 * @param calibrations of the client, or null if they are not asked for.
 */
public record Baselines(
    List<Stored<BaselineDocument>> newestFirst,
    String place,
    boolean isNamed,
    Map<String, String> machine,
    Calibrations calibrations)
{
    private static final List<String> WITHOUT_DISTANCE = List.of(Placement.NONE, Placement.CLUSTER);
    private static final String CLUSTER = "cluster";
    private static final String SPINNING = Idle.spin.strategyName();

    private static final List<String> REQUIRED_FIELDS =
        List.of("/label", "/start", "/verdict/good", "/lengthBytes", "/udp", "/machine");

    public Baselines with(final Calibrations newCalibrations)
    {
        return new Baselines(newestFirst, place, isNamed, machine, newCalibrations);
    }

    /**
     * A run with the calibration of its client, or why there is none; unchanged if these baselines have no calibrations.
     *
     * @param clients if there were several; empty for this process alone.
     */
    public RunDescription calibrated(final RunDescription description, final List<ClientRecord> clients)
    {
        return null == calibrations ? description : description.with(calibrations.of(description, clients));
    }

    /**
     * The baseline given by the user.
     *
     * @throws InvalidSettingException if it is not a baseline or cannot be read.
     */
    public static Baselines named(final Path folder)
    {
        InvalidSettingException.throwIf(
            !Files.isRegularFile(folder.resolve(DocumentKind.BASELINE.fileName())), "--baseline", folder,
            "the folder of a baseline, which contains " + DocumentKind.BASELINE.fileName() + "; " +
            CommandHint.of("load-client", "calibrate") + " measures one");
        return new Baselines(
            List.of(Stored.read(folder, DocumentKind.BASELINE, REQUIRED_FIELDS, BaselineDocument.class)), folder.toString(),
            true, MachineFacts.machine(), null);
    }

    /**
     * All baselines directly in a folder.
     *
     * @param warning receives a message for each baseline that cannot be read and is skipped.
     */
    public static Baselines below(final Path parent, final Consumer<String> warning)
    {
        return new Baselines(
            Stored.newestFirst(parent, DocumentKind.BASELINE, REQUIRED_FIELDS, BaselineDocument.class, warning),
            parent.toString(), false, MachineFacts.machine(), null);
    }

    /**
     * Compare a median with the floor.
     *
     * @return the floor, or why it is unknown; null for a run without a cluster, to which this floor does not apply.
     */
    public FloorRatio floor(final RunDescription description, final long p50Ns)
    {
        final Map<String, String> run = description.configuration();
        if (!CLUSTER.equals(run.get("transport")))
        {
            return null;
        }
        final String unknown = unknown(run, description.cluster(), p50Ns);
        if (null != unknown)
        {
            return FloorRatio.missing("not known: " + unknown);
        }

        final long lengthBytes = Long.parseLong(run.get("size"));
        final String idle = run.get("idle");
        final int fsyncLevel = Integer.parseInt(description.cluster().get(SettingKeys.FSYNC));
        final DiskPlace disk = DiskPlace.of("--base-dir", Path.of(run.get("base-dir")));
        String misfit = null;
        for (final Stored<BaselineDocument> baseline : newestFirst)
        {
            misfit = misfit(baseline.document(), lengthBytes, idle, fsyncLevel, disk);
            if (null == misfit)
            {
                return ratio(baseline, p50Ns, idle, fsyncLevel, hosts(description.cluster()).size());
            }
        }

        final String advice = CommandHint.of("load-client", "calibrate --only machine --size ") + lengthBytes + option(idle) +
            (0 == fsyncLevel ? "" : " --dir " + run.get("base-dir")) + " measures one";
        return FloorRatio.missing(
            isNamed ? "not known: the baseline in " + place + " does not apply: " + misfit + "; " + advice :
                "not known: " + place + " contains no baseline of this machine for " + lengthBytes +
                " bytes, idle strategy " + idle + (0 == fsyncLevel ? "" : " and this disk") + "; " + advice);
    }

    /** Why no baseline applies to a run with a cluster, or null if one may. */
    private static String unknown(final Map<String, String> run, final Map<String, String> cluster, final long p50Ns)
    {
        return
            !cluster.containsKey(SettingKeys.HOSTS) || !cluster.containsKey(SettingKeys.FSYNC) ?
            "the settings of the cluster could not be read from " + run.get("base-dir") :
            !hosts(cluster).stream().allMatch(Baselines::isLoopback) ?
            "members are on other machines, but a baseline is of one machine" :
            !WITHOUT_DISTANCE.contains(cluster.getOrDefault(NodeSettings.PLACEMENT.key(), Placement.NONE)) ?
            "delays are emulated, but a baseline has none" :
            0 == p50Ns ? "there was no reply" :
            !run.getOrDefault("size", "").matches("[0-9]+") ?
            "messages have several lengths, but a baseline has one" : null;
    }

    private static List<String> hosts(final Map<String, String> cluster)
    {
        return List.of(cluster.get(SettingKeys.HOSTS).split("\\s*,\\s*"));
    }

    /** Why a baseline does not apply to a run on a disk, or null if it does. */
    private String misfit(
        final BaselineDocument baseline, final long lengthBytes, final String idle, final int fsyncLevel, final DiskPlace disk)
    {
        final Optional<String> difference = MachineFacts.difference(baseline.circumstances().machine(), machine);
        return !baseline.verdict().good() ? "its verdict is not GOOD" :
            difference.isPresent() ? "it was measured on another machine (" + difference.orElseThrow() + ")" :
            lengthBytes != baseline.lengthBytes() ? "it was measured with messages of " + baseline.lengthBytes() + " bytes" :
            !baseline.hasRoundTrips(idle) || !baseline.hasRoundTrips(SPINNING) ?
            "it has no round trips with idle strategy " + idle :
            0 != fsyncLevel && (0 == baseline.syncNs(fsyncLevel) ||
            !disk.isSameDisk(new DiskPlace("", baseline.sync().store(), baseline.sync().type()))) ?
            "it has no syncs on the disk of " + disk.folder() : null;
    }

    private static FloorRatio ratio(
        final Stored<BaselineDocument> stored,
        final long p50Ns,
        final String idle,
        final int fsyncLevel,
        final int memberCount)
    {
        final BaselineDocument baseline = stored.document();
        final long floorNs = baseline.floorNs(idle, fsyncLevel, memberCount);
        final long spinningNs = baseline.floorNs(SPINNING, fsyncLevel, memberCount);
        return new FloorRatio(
            floorNs, p50Ns / (double)floorNs, spinningNs, p50Ns / (double)spinningNs, baseline.syncNs(fsyncLevel), idle,
            stored.folder().toString(), null);
    }

    /** The option for an idle strategy, if it is not among those that a baseline measures anyway. */
    private static String option(final String strategyName)
    {
        return Stream.of(Idle.auto, Idle.spin).anyMatch((idle) -> strategyName.equals(idle.strategyName())) ? "" :
            Stream.of(Idle.values()).filter((idle) -> strategyName.equals(idle.strategyName()))
            .map((idle) -> " --idle " + idle.name()).findFirst().orElse("");
    }

    private static boolean isLoopback(final String host)
    {
        return host.startsWith("127.") || "localhost".equals(host) || "[::1]".equals(host);
    }
}

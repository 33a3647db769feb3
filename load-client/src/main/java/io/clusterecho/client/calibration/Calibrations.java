package io.clusterecho.client.calibration;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.stream.Stream;

import io.clusterecho.client.load.Idle;
import io.clusterecho.host.DiskPlace;
import io.clusterecho.media.zone.Placement;
import io.clusterecho.node.config.NodeSettings;
import io.clusterecho.platform.BuildFacts;
import io.clusterecho.platform.ClientJvm;
import io.clusterecho.platform.MachineFacts;
import io.clusterecho.process.CommandHint;
import io.clusterecho.reporting.document.Documents;
import io.clusterecho.reporting.results.CalibrationNote;
import io.clusterecho.reporting.results.DocumentKind;
import io.clusterecho.reporting.results.FloorRatio;
import io.clusterecho.reporting.results.RunDescription;
import io.clusterecho.settings.InvalidSettingException;
import io.clusterecho.settings.Io;
import io.clusterecho.settings.Quantity;
import io.clusterecho.settings.SettingKeys;

/**
 * Calibrations of client and machine in the folder of results. Each result names the newest of both that apply to it. Read once,
 * before the first run. Immutable and safe for any thread.
 *
 * @param baselines of machines, the newest first.
 * @param clients   of clients, the newest first.
 */
public record Calibrations(
    List<Stored<Baseline>> baselines, List<Stored<Calibration>> clients, Path parent,
    Map<String, String> machine, Map<String, String> jvm)
{
    private static final List<String> WITHOUT_DISTANCE = List.of(Placement.NONE, Placement.CLUSTER);
    private static final String CLUSTER = "cluster";
    private static final String SPINNING = Idle.spin.strategyName();
    private static final List<String> JVM_KEYS = List.of("version", "vendor", "name");
    private static final String BUILD = "cluster-echo";

    /**
     * A document from an earlier measurement.
     *
     * @param document as written, in a known format version.
     */
    record Stored<D>(Path folder, Instant start, D document)
    {
        /** Read the documents of a kind directly below a folder, the newest first. */
        private static <D> List<Stored<D>> newestFirst(
            final Path parent, final DocumentKind kind, final Class<D> type, final Consumer<String> warning)
        {
            final List<Stored<D>> found = new ArrayList<>();
            final List<Path> folders =
                Files.isDirectory(parent) ? Io.call("cannot list " + parent, () -> Io.list(parent)) : List.of();
            for (final Path folder : folders.stream().filter((one) -> Files.isRegularFile(one.resolve(kind.fileName()))).toList())
            {
                try
                {
                    found.add(Documents.read(folder, kind, (document) -> new Stored<>(
                        folder, Instant.parse(document.path("start").asText()), Documents.bind(document, type))));
                }
                catch (final InvalidSettingException ex)
                {
                    warning.accept(ex.getMessage() + "; skipped");
                }
            }
            found.sort(Comparator.<Stored<D>, Instant>comparing(Stored::start).reversed());
            return List.copyOf(found);
        }
    }

    /** All calibrations directly in a folder, with a warning for each document that cannot be read and is skipped. */
    public static Calibrations below(final Path parent, final Consumer<String> warning)
    {
        return new Calibrations(
            Stored.newestFirst(parent, DocumentKind.BASELINE, Baseline.class, warning),
            Stored.newestFirst(parent, DocumentKind.CALIBRATION, Calibration.class, warning), parent, MachineFacts.machine(),
            ClientJvm.facts());
    }

    /**
     * The newest calibration of a client that applies to a run; never null, as it says why if there is none.
     *
     * @param isByWorkers whether the load was sent by other processes than this one.
     */
    public CalibrationNote note(final RunDescription run, final boolean isByWorkers)
    {
        if (isByWorkers)
        {
            return CalibrationNote.missing("none: workers sent the load, and a calibration is of a client in its own process");
        }
        final long intervalNs = Quantity.parseDurationNs(
            run.configuration().getOrDefault("duty-cycle-interval", "0ns"));
        if (intervalNs > 0)
        {
            return CalibrationNote.missing(
                "none: the client began a duty cycle at most every " + Quantity.formatNs(intervalNs) +
                ", and that of calibrate does not pause");
        }
        final String idle = run.configuration().getOrDefault("idle", "");
        return clients.stream().filter((stored) -> applies(stored.document(), idle)).findFirst()
            .map((stored) -> note(stored, run.start())).orElseGet(() -> CalibrationNote.missing(
            "none in " + parent + (clients.isEmpty() ? "" : " that is GOOD, of this machine, JVM and version of the load " +
            "client, and of idle strategy " + idle) + "; " + CommandHint.of("load-client", "calibrate") + " makes one"));
    }

    private boolean applies(final Calibration document, final String idle)
    {
        final Map<String, String> theirs = document.provenance().jvm();
        return document.verdict().good() && idle.equals(document.idle()) &&
            MachineFacts.isSame(document.provenance().machine(), machine) &&
            JVM_KEYS.stream().allMatch((key) -> theirs.getOrDefault(key, "").equals(jvm.get(key))) &&
            document.provenance().versions().getOrDefault(BUILD, "").equals(BuildFacts.versions().get(BUILD));
    }

    private static CalibrationNote note(final Stored<Calibration> stored, final Instant runStart)
    {
        final Map<String, Long> worst = new LinkedHashMap<>();
        stored.document().echoes().stream().flatMap((echo) -> echo.errors().stream()).forEach((error) -> worst.merge(
            error.percentile(), error.errorNs(), (one, other) -> Math.abs(one) >= Math.abs(other) ? one : other));
        return new CalibrationNote(
            stored.folder().toString(), stored.document().start(),
            Math.max(0, Duration.between(stored.start(), runStart).toSeconds()),
            stored.document().provenance().machine().getOrDefault("hostName", "this machine"), worst, null);
    }

    /** A median and the floor by the newest baseline that applies, or why that is unknown; null without a cluster. */
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
        final boolean isSynced = 0 != fsyncLevel;
        return baselines.stream()
            .filter((stored) -> applies(stored.document(), lengthBytes, idle) &&
                (!isSynced || 0 != stored.document().syncNs(fsyncLevel) && disk.isSameDisk(
                new DiskPlace("", stored.document().sync().store(), stored.document().sync().type()))))
            .findFirst().map((stored) -> ratio(stored, p50Ns, idle, fsyncLevel, hosts(description.cluster()).size()))
            .orElseGet(() -> FloorRatio.missing(
            "not known: " + parent + " contains no baseline of this machine for " + lengthBytes + " bytes, idle strategy " +
            idle + (isSynced ? " and this disk" : "") + "; " + CommandHint.of("load-client", "calibrate --only machine --size ") +
            lengthBytes + option(idle) + (isSynced ? " --dir " + run.get("base-dir") : "") + " measures one"));
    }

    /** Why no baseline applies to a run with a cluster, or null if one may. */
    private static String unknown(final Map<String, String> run, final Map<String, String> cluster, final long p50Ns)
    {
        return
            !cluster.containsKey(SettingKeys.HOSTS) || !cluster.containsKey(SettingKeys.FSYNC) ?
            "the members were not started in " + run.get("base-dir") :
            !hosts(cluster).stream().allMatch(Placement::isLoopback) ?
            "members are on other machines, but a baseline is of one machine" :
            !WITHOUT_DISTANCE.contains(cluster.getOrDefault(NodeSettings.PLACEMENT.key(), Placement.NONE)) ?
            "delays are emulated, but a baseline has none" :
            0 == p50Ns ? "there was no reply" :
            !run.getOrDefault("size", "").matches("[0-9]+") ?
            "messages have several lengths, but a baseline has one" : null;
    }

    private boolean applies(final Baseline baseline, final long lengthBytes, final String idle)
    {
        return baseline.verdict().good() && lengthBytes == baseline.lengthBytes() &&
            MachineFacts.isSame(baseline.provenance().machine(), machine) && baseline.hasRoundTrips(idle) &&
            baseline.hasRoundTrips(SPINNING);
    }

    private static FloorRatio ratio(
        final Stored<Baseline> stored,
        final long p50Ns,
        final String idle,
        final int fsyncLevel,
        final int memberCount)
    {
        final Baseline baseline = stored.document();
        final long floorNs = baseline.floorNs(idle, fsyncLevel, memberCount);
        final long spinningNs = baseline.floorNs(SPINNING, fsyncLevel, memberCount);
        return new FloorRatio(
            floorNs, Documents.rounded(p50Ns / (double)floorNs, 2), spinningNs,
            Documents.rounded(p50Ns / (double)spinningNs, 2), baseline.syncNs(fsyncLevel), stored.folder().toString(), null);
    }

    private static List<String> hosts(final Map<String, String> cluster)
    {
        return List.of(cluster.get(SettingKeys.HOSTS).split("\\s*,\\s*"));
    }

    /** The option for an idle strategy, if it is not among those that a baseline measures anyway. */
    private static String option(final String strategyName)
    {
        return Stream.of(Idle.values()).filter((idle) -> strategyName.equals(idle.strategyName())).findFirst()
            .filter((idle) -> Idle.auto != idle && Idle.spin != idle).map((idle) -> " --idle " + idle.name()).orElse("");
    }
}

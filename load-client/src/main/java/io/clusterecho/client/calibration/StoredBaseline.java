package io.clusterecho.client.calibration;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.ToLongFunction;

import io.clusterecho.client.load.Idle;
import io.clusterecho.host.DiskPlace;
import io.clusterecho.platform.MachineFacts;
import io.clusterecho.process.CommandHint;
import io.clusterecho.reporting.document.Documents;
import io.clusterecho.reporting.results.DocumentKind;
import io.clusterecho.reporting.results.Percentile;
import io.clusterecho.settings.InvalidSettingException;

/**
 * A baseline from an earlier measurement.
 *
 * @param document as written, in a known format version.
 */
record StoredBaseline(Path folder, BaselineDocument document)
{
    private static final List<String> REQUIRED_FIELDS =
        List.of("/label", "/start", "/verdict/good", "/lengthBytes", "/udp", "/machine");

    static StoredBaseline read(final Path folder)
    {
        if (!Files.isRegularFile(folder.resolve(DocumentKind.BASELINE.fileName())))
        {
            throw new InvalidSettingException(
                "--baseline", folder, "the folder of a baseline, which contains " + DocumentKind.BASELINE.fileName() +
                "; " + CommandHint.of("load-client", "baseline") + " measures one");
        }
        return Documents.read(
            folder, DocumentKind.BASELINE, REQUIRED_FIELDS,
            (tree) -> new StoredBaseline(folder, Documents.bind(tree, BaselineDocument.class)));
    }

    String start()
    {
        return document.start();
    }

    /**
     * Why the baseline does not apply to a run, or null if it does.
     *
     * @param fsyncLevel  of the cluster, 0 to 2.
     * @param disk        of the cluster's folder.
     */
    String misfit(
        final long lengthBytes, final String idle, final int fsyncLevel, final DiskPlace disk, final Map<String, String> machine)
    {
        if (!document.verdict().good())
        {
            return "its verdict is not GOOD";
        }
        final Optional<String> difference = MachineFacts.difference(document.circumstances().machine(), machine);
        if (difference.isPresent())
        {
            return "it was measured on another machine (" + difference.orElseThrow() + ")";
        }
        if (lengthBytes != document.lengthBytes())
        {
            return "it was measured with messages of " + document.lengthBytes() + " bytes";
        }
        if (0 == quietNs(idle, BaselineDocument.Udp::quietServiceTimeNs) ||
            0 == spinningNs(BaselineDocument.Udp::quietServiceTimeNs))
        {
            return "it has no round trips with idle strategy " + idle;
        }
        if (0 != fsyncLevel && (0 == syncNs(fsyncLevel) ||
            !disk.isSameDisk(new DiskPlace("", document.sync().store(), document.sync().type()))))
        {
            return "it has no syncs on the disk of " + disk.folder();
        }

        return null;
    }

    /** Lowest median of a time of round trips in ns, or 0 if there is none. */
    long quietNs(final String idle, final ToLongFunction<BaselineDocument.Udp> time)
    {
        return document.udp().stream().filter((one) -> idle.equals(one.idle())).mapToLong(time).findFirst().orElse(0);
    }

    /** Lowest median of a time of round trips with spinning threads in ns, or 0 if there is none. */
    long spinningNs(final ToLongFunction<BaselineDocument.Udp> time)
    {
        return quietNs(Idle.spin.strategyName(), time);
    }

    /** Median time in ns that a file sync level waits for; 0 for level 0 or if not measured. */
    long syncNs(final int fsyncLevel)
    {
        final BaselineDocument.Sync sync = document.sync();
        return 0 == fsyncLevel || null == sync ? 0 :
            Objects.requireNonNullElse((1 == fsyncLevel ? sync.dataNs() : sync.allNs()).at(Percentile.P50), 0L);
    }
}

package io.clusterecho.client.calibration;

import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.stream.Collectors;

import io.clusterecho.platform.BuildFacts;
import io.clusterecho.platform.ClientJvm;
import io.clusterecho.platform.MachineFacts;
import io.clusterecho.process.CommandHint;
import io.clusterecho.reporting.results.CalibrationNote;
import io.clusterecho.reporting.results.ClientRecord;
import io.clusterecho.reporting.results.DocumentKind;
import io.clusterecho.reporting.results.RunDescription;
import io.clusterecho.settings.Quantity;

/**
 * Calibrations in the folder of results, of which each result names the newest that applies. Read once, before the first run.
 * Immutable and safe for any thread.
 */
public record Calibrations(
    List<Stored<CalibrationDocument>> newestFirst, Path parent, Map<String, String> machine, Map<String, String> jvm)
{
    private static final List<String> REQUIRED_FIELDS =
        List.of("/label", "/start", "/verdict/good", "/idle", "/echoes", "/machine", "/jvm", "/versions");
    private static final List<String> JVM_KEYS = List.of("version", "vendor", "name");
    private static final String BUILD = "cluster-echo";

    /**
     * All calibrations directly in a folder.
     *
     * @param warning receives a message for each calibration that cannot be read and is skipped.
     */
    public static Calibrations below(final Path parent, final Consumer<String> warning)
    {
        return new Calibrations(
            Stored.newestFirst(parent, DocumentKind.CALIBRATION, REQUIRED_FIELDS, CalibrationDocument.class, warning), parent,
            MachineFacts.machine(), ClientJvm.facts());
    }

    /** The newest calibration that applies to a run; never null, as it says why if there is none. */
    public CalibrationNote of(final RunDescription run)
    {
        final long intervalNs = Quantity.parseDurationNs(
            run.configuration().getOrDefault("duty-cycle-interval", "0ns"));
        if (intervalNs > 0)
        {
            return CalibrationNote.missing(
                "none: the client began a duty cycle at most every " + Quantity.formatNs(intervalNs) +
                ", and that of calibrate does not pause");
        }
        final String idle = run.configuration().getOrDefault("idle", "");
        String misfit = null;
        for (final Stored<CalibrationDocument> stored : newestFirst)
        {
            final String reason = misfit(stored.document(), idle);
            if (null == reason)
            {
                return note(stored, run.start());
            }
            misfit = null != misfit ? misfit : "none; that of " + stored.folder() + " is not used: " + reason;
        }

        return CalibrationNote.missing(
            (null == misfit ? "none in " + parent : misfit) + "; " + CommandHint.of("load-client", "calibrate") + " makes one");
    }

    /**
     * The same for a run of several clients: that of a client alone, if all of them ran on this machine.
     *
     * @param clients empty for this process alone.
     */
    public CalibrationNote of(final RunDescription run, final List<ClientRecord> clients)
    {
        final String elsewhere = clients.stream()
            .filter((client) -> MachineFacts.difference(client.machine(), machine).isPresent()).map(ClientRecord::host)
            .distinct().collect(Collectors.joining(", "));
        return !elsewhere.isEmpty() ? CalibrationNote.missing(
            "none: clients ran on other machines (" + elsewhere + "), and a calibration is of one machine") :
            clients.isEmpty() ? of(run) : of(run).of(clients.size());
    }

    /** Why a calibration does not apply to a client with an idle strategy, or null if it does. */
    private String misfit(final CalibrationDocument document, final String idle)
    {
        final Optional<String> difference = MachineFacts.difference(document.circumstances().machine(), machine);
        final Map<String, String> theirs = document.circumstances().jvm();
        final String otherKey =
            JVM_KEYS.stream().filter((key) -> !theirs.getOrDefault(key, "").equals(jvm.get(key))).findFirst().orElse(null);
        final String build = document.circumstances().versions().getOrDefault(BUILD, "");
        return !document.verdict().good() ? "its verdict is not GOOD" :
            difference.isPresent() ? "another machine (" + difference.orElseThrow() + ")" :
            null != otherKey ?
            "another JVM (" + otherKey + " " + theirs.getOrDefault(otherKey, "") + ", here " + jvm.get(otherKey) + ")" :
            !build.equals(BuildFacts.versions().get(BUILD)) ? "another version of the load client (" + build + ")" :
            !idle.equals(document.idle()) ? "idle strategy " + document.idle() + ", that of the run is " + idle : null;
    }

    private static CalibrationNote note(final Stored<CalibrationDocument> stored, final Instant runStart)
    {
        final Map<String, Long> worst = new LinkedHashMap<>();
        for (final CalibrationDocument.Echo echo : stored.document().echoes())
        {
            for (final PercentileError error : echo.errors())
            {
                worst.merge(error.percentile(), error.errorNs(), (one, other) -> Math.abs(one) >= Math.abs(other) ? one : other);
            }
        }
        return new CalibrationNote(
            stored.folder().toString(), stored.document().start(),
            Math.max(0, Duration.between(stored.start(), runStart).toSeconds()),
            stored.document().circumstances().machine().getOrDefault("hostName", "this machine"), worst, null, null);
    }
}

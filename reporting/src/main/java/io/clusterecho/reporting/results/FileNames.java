package io.clusterecho.reporting.results;

import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Names of result files that more than one class reads or writes. {@link DocumentKind} names the JSON documents;
 * docs/results-format.md describes the contents.
 */
public final class FileNames
{
    /** A row for each interval of a run: counts and percentiles. */
    public static final String INTERVALS = "intervals.csv";
    /** A row for each interval and process: counters of its media driver and of its service. */
    public static final String COUNTERS = "counters.csv";
    /** A row for each interval: load of the machine. */
    public static final String MACHINE = "machine.csv";
    /** A row for each slice of time around a fault. */
    public static final String TIMELINE = "timeline.csv";
    /** Sent and acknowledged messages with their times. */
    public static final String JOURNAL = "journal.bin";
    /** The slowest messages with the parts of their times. */
    public static final String SLOWEST = "slowest-messages.json";
    public static final String TEXT = "summary.txt";
    /** The folders of the clients that shared a load, below that of the run. */
    public static final String CLIENTS = "clients";
    public static final String PAGE = "report.html";

    /**
     * Whether a folder belongs to a run whose process was killed: it has intervals and no result, and is not that of a client
     * that shared a load.
     */
    public static boolean isUnfinished(final Path folder)
    {
        final Path parent = folder.getParent();
        final boolean isOfClient =
            null != parent && parent.endsWith(CLIENTS) && Files.exists(parent.resolveSibling(INTERVALS));
        return !isOfClient && !Files.exists(folder.resolve(DocumentKind.RUN.fileName()));
    }
}

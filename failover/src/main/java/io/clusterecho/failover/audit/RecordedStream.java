package io.clusterecho.failover.audit;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;

/**
 * One recording as described by the archive's catalog; positions and lengths are in bytes.
 *
 * @param stopPosition {@link #STILL_OPEN} if it is still being recorded or its member was killed.
 */
record RecordedStream(
    Path archiveDir,
    long recordingId,
    long startPosition,
    long stopPosition,
    int initialTermId,
    int segmentLength,
    int termLength,
    int streamId)
{
    static final long STILL_OPEN = -1;
    private static final String SUFFIX = ".rec";

    boolean isOpen()
    {
        return STILL_OPEN == stopPosition;
    }

    Path segmentFile(final long basePosition)
    {
        return archiveDir.resolve(prefix() + basePosition + SUFFIX);
    }

    /** Lowest base position of a segment file above a given one, -1 if there is none. */
    long segmentBaseAbove(final long basePosition) throws IOException
    {
        try (Stream<Path> files = Files.list(archiveDir))
        {
            return files
                .map((file) -> file.getFileName().toString())
                .filter((name) -> name.matches(prefix() + "\\d{1,18}" + SUFFIX))
                .mapToLong((name) -> Long.parseLong(name.substring(prefix().length(), name.length() - SUFFIX.length())))
                .filter((base) -> base > basePosition)
                .min()
                .orElse(-1);
        }
    }

    private String prefix()
    {
        return recordingId + "-";
    }
}

package io.clusterecho.node.member;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;

import io.aeron.cluster.ConsensusModule;
import io.aeron.cluster.RecordingLog;

import io.clusterecho.settings.InvalidSettingException;
import io.clusterecho.settings.Io;

/**
 * What an empty member copies from another before it starts, because the log before a snapshot is gone there: that snapshot, and
 * the log up to it. A command writes it into the member's folder; the member's next start copies, and deletes it when all is
 * there.
 *
 * @param archiveEndpoint of the member to copy from.
 * @param logRecordingId  of the log in that archive.
 * @param logPosition     of the snapshot, up to which the log is copied, in bytes.
 * @param terms           leadership terms up to the snapshot, the first one first.
 * @param parts           of the snapshot, in the order of their entries in the recording log.
 */
public record MemberSeed(
    String archiveEndpoint, long logRecordingId, long logPosition, List<Term> terms, List<Part> parts)
{
    private static final String FILE = "seed.json";
    private static final JsonMapper MAPPER = JsonMapper.builder()
        .enable(DeserializationFeature.FAIL_ON_MISSING_CREATOR_PROPERTIES, DeserializationFeature.FAIL_ON_NULL_FOR_PRIMITIVES)
        .enable(DeserializationFeature.FAIL_ON_NULL_CREATOR_PROPERTIES, DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
        .build();

    /** A leadership term, and the position of the log at its beginning, in bytes. */
    public record Term(long id, long basePosition, long timestamp)
    {
    }

    /**
     * The part of a snapshot that one service took, or the consensus module (-1): a recording of the archive to copy from, in
     * a term, and the position of the log at the beginning of that term, in bytes.
     */
    public record Part(int serviceId, long recordingId, long termId, long basePosition, long timestamp)
    {
    }

    /** What to copy from a member, which may run, up to one of its complete snapshots by its position in bytes. */
    public static MemberSeed of(final Path dir, final String archiveEndpoint, final long logPosition)
    {
        final List<Term> terms = new ArrayList<>();
        final List<Part> parts = new ArrayList<>();
        try (RecordingLog log = new RecordingLog(dir.resolve(MemberFolder.CLUSTER_DIR).toFile(), false))
        {
            for (final RecordingLog.Entry entry : log.entries())
            {
                if (entry.isValid && RecordingLog.ENTRY_TYPE_SNAPSHOT == entry.type && logPosition == entry.logPosition)
                {
                    parts.add(new Part(
                        entry.serviceId, entry.recordingId, entry.leadershipTermId, entry.termBaseLogPosition, entry.timestamp));
                }
                else if (entry.isValid && RecordingLog.ENTRY_TYPE_TERM == entry.type && entry.termBaseLogPosition <= logPosition)
                {
                    terms.add(new Term(entry.leadershipTermId, entry.termBaseLogPosition, entry.timestamp));
                }
            }

            final long lastTermId = parts.stream().mapToLong(Part::termId).max().orElse(-1);
            terms.removeIf((term) -> term.id > lastTermId);
            return new MemberSeed(archiveEndpoint, log.findLastTermRecordingId(), logPosition, terms, parts);
        }
    }

    /**
     * Write it into the folder of a member that is down, which may not exist. Its next start deletes its log, snapshots and
     * votes, and copies these.
     */
    public void write(final Path dir)
    {
        final Path file = dir.resolve(FILE);
        Io.run("cannot write " + file, () ->
        {
            MemberFolder.makePrivate(dir);
            Io.replace(file, MAPPER.writeValueAsString(this));
        });
    }

    public static boolean isIn(final Path dir)
    {
        return Files.exists(dir.resolve(FILE));
    }

    /** The request in the folder of a member; rejects one with a value that is missing or not allowed. */
    static MemberSeed read(final Path dir)
    {
        final Path file = dir.resolve(FILE);
        final byte[] bytes = Io.call("cannot read " + file, () -> Files.readAllBytes(file));
        try
        {
            final MemberSeed seed = MAPPER.readValue(bytes, MemberSeed.class);
            if (null == seed || !seed.isAllowed())
            {
                throw new IOException("it has " + seed);
            }
            return seed;
        }
        catch (final IOException ex)
        {
            final String problem = ex instanceof JsonProcessingException json ? json.getOriginalMessage() : ex.getMessage();
            throw new InvalidSettingException(file + " is damaged (" + problem + "); for a new cluster, stop --delete-data");
        }
    }

    private boolean isAllowed()
    {
        return !archiveEndpoint.isBlank() && logRecordingId >= 0 && logPosition >= 0 &&
            terms.stream().allMatch((term) -> null != term && term.id >= 0 && term.basePosition >= 0) &&
            parts.stream().allMatch((part) -> null != part && part.serviceId >= ConsensusModule.Configuration.SERVICE_ID &&
                part.recordingId >= 0 && part.termId >= 0 && part.basePosition >= 0);
    }

    public static void delete(final Path dir) throws IOException
    {
        Files.deleteIfExists(dir.resolve(FILE));
    }
}

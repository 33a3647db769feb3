package io.clusterecho.node.member;

import java.io.IOException;
import java.io.Reader;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Properties;

import io.aeron.cluster.ConsensusModule;
import io.aeron.cluster.RecordingLog;

import io.clusterecho.settings.InvalidSettingException;

/**
 * What an empty member copies from another, or from a backup, before it starts. From a member, because the log before a snapshot
 * is gone: that snapshot, and the log up to it. From a backup, because no other has more: its newest snapshot, if there is one,
 * and all of its log. A command writes it into the member's folder; the member's next start copies, and deletes it when all is
 * there.
 *
 * @param archiveEndpoint  of the member or backup to copy from.
 * @param logRecordingId   of the log in that archive.
 * @param logPosition      up to which the log is copied, in bytes.
 * @param snapshotPosition of the snapshot, in bytes; {@link #NO_SNAPSHOT} without one.
 * @param terms            leadership terms up to the end of what is copied, the first one first.
 * @param parts            of the snapshot, in the order of their entries in the recording log.
 */
public record MemberSeed(
    String archiveEndpoint, long logRecordingId, long logPosition, long snapshotPosition, List<Term> terms, List<Part> parts)
{
    /** Position of the snapshot without one. */
    public static final long NO_SNAPSHOT = -1;

    private static final String FILE = "seed.properties";
    private static final String SEPARATOR = ",";

    /** A seed that ends with its snapshot, at a position of the log in bytes. */
    public MemberSeed(
        final String archiveEndpoint,
        final long logRecordingId,
        final long logPosition,
        final List<Term> terms,
        final List<Part> parts)
    {
        this(archiveEndpoint, logRecordingId, logPosition, logPosition, terms, parts);
    }

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
        final MemberSeed all = ofAll(dir, archiveEndpoint, logPosition, logPosition);
        final long lastTermId = all.parts.stream().mapToLong(Part::termId).max().orElse(-1);
        return new MemberSeed(
            archiveEndpoint, all.logRecordingId, logPosition,
            all.terms.stream().filter((term) -> term.id <= lastTermId).toList(), all.parts);
    }

    /**
     * What to copy from a backup, which may run: its log up to a position in bytes, and a snapshot by its position, or {@link
     * #NO_SNAPSHOT}.
     */
    public static MemberSeed ofAll(
        final Path dir, final String archiveEndpoint, final long snapshotPosition, final long logPosition)
    {
        final List<Term> terms = new ArrayList<>();
        final List<Part> parts = new ArrayList<>();
        try (RecordingLog log = new RecordingLog(dir.resolve(MemberFolder.CLUSTER_DIR).toFile(), false))
        {
            for (final RecordingLog.Entry entry : log.entries())
            {
                if (entry.isValid && RecordingLog.ENTRY_TYPE_SNAPSHOT == entry.type && snapshotPosition == entry.logPosition)
                {
                    parts.add(new Part(
                        entry.serviceId, entry.recordingId, entry.leadershipTermId, entry.termBaseLogPosition, entry.timestamp));
                }
                else if (entry.isValid && RecordingLog.ENTRY_TYPE_TERM == entry.type && entry.termBaseLogPosition <= logPosition)
                {
                    terms.add(new Term(entry.leadershipTermId, entry.termBaseLogPosition, entry.timestamp));
                }
            }

            return new MemberSeed(
                archiveEndpoint, log.findLastTermRecordingId(), logPosition, snapshotPosition, terms, parts);
        }
    }

    /** Position of the log at the beginning of the last term, in bytes; 0 without a term. */
    public long lastTermBasePosition()
    {
        return terms.isEmpty() ? 0 : terms.get(terms.size() - 1).basePosition;
    }

    /** This seed with those terms found in the log that are after its last. */
    public MemberSeed withTerms(final List<Term> found)
    {
        final List<Term> all = new ArrayList<>(terms);
        for (final Term term : found)
        {
            if (all.isEmpty() || term.id > all.get(all.size() - 1).id)
            {
                all.add(term);
            }
        }
        return new MemberSeed(archiveEndpoint, logRecordingId, logPosition, snapshotPosition, all, parts);
    }

    /**
     * Write it into the folder of a member that is down, which may not exist. Its next start deletes its log, snapshots and
     * votes, and copies these.
     */
    public void write(final Path dir)
    {
        final Properties properties = new Properties();
        properties.setProperty("archive", archiveEndpoint);
        properties.setProperty("log", join(logRecordingId, logPosition, snapshotPosition));
        for (int i = 0; i < terms.size(); i++)
        {
            final Term term = terms.get(i);
            properties.setProperty("term." + i, join(term.id, term.basePosition, term.timestamp));
        }
        for (int i = 0; i < parts.size(); i++)
        {
            final Part part = parts.get(i);
            properties.setProperty(
                "part." + i, join(part.serviceId, part.recordingId, part.termId, part.basePosition, part.timestamp));
        }

        final Path written = dir.resolve(FILE + ".new");
        try
        {
            MemberFolder.makePrivate(dir);
            try (Writer writer = Files.newBufferedWriter(written, StandardCharsets.UTF_8))
            {
                properties.store(writer, "What this member copies from another at its next start.");
            }
            Files.move(written, dir.resolve(FILE), StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        }
        catch (final IOException ex)
        {
            throw new UncheckedIOException("cannot write " + written, ex);
        }
    }

    /** Whether the next start of a member copies. */
    public static boolean isIn(final Path dir)
    {
        return Files.exists(dir.resolve(FILE));
    }

    static MemberSeed read(final Path dir)
    {
        final Path file = dir.resolve(FILE);
        final Properties properties = new Properties();
        try
        {
            try (Reader reader = Files.newBufferedReader(file, StandardCharsets.UTF_8))
            {
                properties.load(reader);
            }
            final long[] log = split(properties.getProperty("log"), 3);
            final List<Term> terms = new ArrayList<>();
            for (int i = 0; properties.containsKey("term." + i); i++)
            {
                final long[] values = split(properties.getProperty("term." + i), 3);
                check(values[0] >= 0 && values[1] >= 0, "a number below 0");
                terms.add(new Term(values[0], values[1], values[2]));
            }
            final List<Part> parts = new ArrayList<>();
            for (int i = 0; properties.containsKey("part." + i); i++)
            {
                final long[] values = split(properties.getProperty("part." + i), 5);
                check(values[0] >= ConsensusModule.Configuration.SERVICE_ID, "a service below -1");
                check(values[1] >= 0 && values[2] >= 0 && values[3] >= 0, "a number below 0");
                parts.add(new Part(Math.toIntExact(values[0]), values[1], values[2], values[3], values[4]));
            }

            final String archive = properties.getProperty("archive", "");
            check(!archive.isBlank(), "no address of an archive");
            check(properties.size() == 2 + terms.size() + parts.size(), "entries are missing or unknown");
            check(log[0] >= 0 && log[1] >= 0, "a number below 0");
            check(log[2] >= NO_SNAPSHOT && log[2] <= log[1], "a snapshot that is not within the log");

            return new MemberSeed(archive, log[0], log[1], log[2], terms, parts);
        }
        catch (final IllegalArgumentException | ArithmeticException | CharacterCodingException ex)
        {
            throw new InvalidSettingException(file + " is damaged (" + ex.getMessage() + "): run heal or restore again");
        }
        catch (final IOException ex)
        {
            throw new UncheckedIOException("cannot read " + file, ex);
        }
    }

    /** Delete the request in the folder of a member, if there is one. */
    public static void delete(final Path dir) throws IOException
    {
        Files.deleteIfExists(dir.resolve(FILE));
    }

    private static void check(final boolean isAllowed, final String problem)
    {
        if (!isAllowed)
        {
            throw new IllegalArgumentException(problem);
        }
    }

    private static String join(final long... values)
    {
        final StringBuilder text = new StringBuilder();
        for (final long value : values)
        {
            text.append(text.isEmpty() ? "" : SEPARATOR).append(value);
        }

        return text.toString();
    }

    private static long[] split(final String text, final int count)
    {
        final String[] words = null == text ? new String[0] : text.split(SEPARATOR);
        if (words.length != count)
        {
            throw new IllegalArgumentException("not " + count + " numbers: " + text);
        }
        final long[] values = new long[count];
        for (int i = 0; i < count; i++)
        {
            values[i] = Long.parseLong(words[i].strip());
        }

        return values;
    }
}

package io.clusterecho.node.member;

import java.io.IOException;
import java.io.Reader;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Properties;

/**
 * The member that a member prefers as leader for a limited time: a file in its folder, which a command writes and each election
 * reads. It ends by itself, so a command that was killed has no lasting effect.
 *
 * @param untilMs   end of the preference, by the wall clock of the member's host, in ms since the epoch.
 */
public record LeaderPreference(int memberId, long untilMs)
{
    /** No member. */
    public static final int NONE = -1;

    private static final String FILE = "preferred-leader.properties";

    /**
     * Write the preference for the next elections of a member.
     *
     * @throws UncheckedIOException if it cannot be written.
     */
    public void write(final Path dir)
    {
        final Path file = dir.resolve(FILE);
        final Path written = dir.resolve(FILE + ".new");
        try
        {
            Files.writeString(written, "member.id=" + memberId + "\nuntil.ms=" + untilMs + "\n");
            Files.move(written, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        }
        catch (final IOException ex)
        {
            throw new UncheckedIOException("cannot write " + file, ex);
        }
    }

    /**
     * End the preference of a member.
     *
     * @throws UncheckedIOException if its file cannot be deleted.
     */
    public static void clear(final Path dir)
    {
        try
        {
            Files.deleteIfExists(dir.resolve(FILE));
        }
        catch (final IOException ex)
        {
            throw new UncheckedIOException("cannot delete " + dir.resolve(FILE), ex);
        }
    }

    /**
     * The member that a member prefers now.
     *
     * @param dir   folder of the member that asks.
     * @param nowMs time by the wall clock, in ms since the epoch.
     * @return a member id, or {@link #NONE} without a preference, after its end, or if its file cannot be read.
     */
    static int read(final Path dir, final long nowMs)
    {
        final Properties values = new Properties();
        try (Reader reader = Files.newBufferedReader(dir.resolve(FILE)))
        {
            values.load(reader);
            return nowMs < Long.parseLong(values.getProperty("until.ms")) ?
                Integer.parseInt(values.getProperty("member.id")) : NONE;
        }
        catch (final NoSuchFileException ex)
        {
            return NONE;
        }
        catch (final IOException | IllegalArgumentException ex)
        {
            // An election matters more than who wins it.
            return NONE;
        }
    }
}

package io.clusterecho.failover.audit;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What state the echo service of a member said it was in at a position of the log.
 *
 * @param memberId     of the member.
 * @param position     in bytes behind the last entry that it had dealt with.
 * @param appliedCount over all clients.
 * @param checksum     over all clients.
 */
record MemberState(int memberId, long position, long appliedCount, long checksum)
{
    private static final List<String> FILES = List.of("state-earlier.log", "state.log");
    private static final Pattern LINE = Pattern.compile("(\\d{1,18}) (\\d{1,18}) ([0-9a-f]{16})");

    /**
     * Read what a member wrote in {@code cluster/state.log} of its folder, and in the file before that.
     *
     * @param folder   of the member.
     * @param index    which is the member's id if the name of the folder does not tell.
     * @param findings to add a note to, on lines that cannot be read.
     * @return the states in the order in which they were written; none for a member that wrote nothing.
     */
    static List<MemberState> read(final Path folder, final int index, final Findings findings)
    {
        final int memberId = MemberLog.memberId(folder, index);
        final List<MemberState> states = new ArrayList<>();
        for (final String name : FILES)
        {
            final Path file = folder.resolve("cluster").resolve(name);
            if (!Files.exists(file))
            {
                continue;
            }

            long badCount = 0;
            for (final String line : lines(file))
            {
                final Matcher fields = LINE.matcher(line);
                if (fields.matches())
                {
                    states.add(new MemberState(
                        memberId, Long.parseLong(fields.group(1)), Long.parseLong(fields.group(2)),
                        Long.parseUnsignedLong(fields.group(3), 16)));
                }
                else
                {
                    badCount++;
                }
            }
            if (badCount > 0)
            {
                findings.note(badCount + " lines of " + file + " tell no state of member " + memberId);
            }
        }

        return states;
    }

    private static List<String> lines(final Path file)
    {
        try
        {
            // Not as ASCII: bytes that are none must spoil their line, not the audit.
            return Files.readAllLines(file, StandardCharsets.ISO_8859_1);
        }
        catch (final IOException ex)
        {
            throw new UncheckedIOException("cannot read " + file, ex);
        }
    }
}

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

/** State digest that a member's echo service wrote at the end of the last entry it had processed, over all clients. */
record MemberState(int memberId, long position, long appliedCount, long checksum)
{
    private static final List<String> FILES = List.of("state-earlier.log", "state.log");
    private static final Pattern LINE = Pattern.compile("(\\d{1,18}) (\\d{1,18}) ([0-9a-f]{16})");

    /**
     * Read {@code cluster/state-earlier.log} and {@code cluster/state.log} of a member, in the order in which they were written.
     *
     * @param index the member's id if the folder's name is not {@code member-N}.
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

            final List<String> lines = lines(file);
            final List<MemberState> found = lines.stream().map(LINE::matcher).filter(Matcher::matches)
                .map((fields) -> new MemberState(
                    memberId, Long.parseLong(fields.group(1)), Long.parseLong(fields.group(2)),
                    Long.parseUnsignedLong(fields.group(3), 16))).toList();
            states.addAll(found);
            if (found.size() < lines.size())
            {
                findings.note(
                    lines.size() - found.size() + " lines of " + file + " are not valid state digests of member " + memberId);
            }
        }

        return states;
    }

    private static List<String> lines(final Path file)
    {
        try
        {
            // ISO 8859-1 accepts any byte: a damaged line must not fail the audit.
            return Files.readAllLines(file, StandardCharsets.ISO_8859_1);
        }
        catch (final IOException ex)
        {
            throw new UncheckedIOException("cannot read " + file, ex);
        }
    }
}

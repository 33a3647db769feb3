package io.clusterecho.reporting.results;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * A part of a text for a person. The full form prints every section in the order of the list. The short form has the same
 * order, but a limited number of lines: sections get theirs in the order of their rank, long lines are wrapped or cut.
 *
 * @param rank     from 1 for the most important; {@link #FULL_ONLY} for a section that the short form leaves out.
 * @param isSpaced whether an empty line precedes the section; in the short form only if there is room.
 * @param limit    most lines in the short form.
 * @param indent   of the further lines of an entry.
 * @param rest     what the entries are, to count those left out; null to leave them out without a count.
 */
record TextSection(int rank, boolean isSpaced, List<String> full, List<String> brief, int limit, int indent, String rest)
{
    static final int FULL_ONLY = Integer.MAX_VALUE;
    static final int WIDTH = 100;
    static final int MAX_LINES = 24;

    private static final String CUT = "...";

    /** A section with the same lines in both forms. */
    static TextSection of(final int rank, final int limit, final int indent, final String... lines)
    {
        return new TextSection(rank, false, List.of(lines), List.of(lines), limit, indent, null);
    }

    /** A section of the full form. */
    static TextSection full(final boolean isSpaced, final String... lines)
    {
        return new TextSection(FULL_ONLY, isSpaced, List.of(lines), List.of(), 0, 0, null);
    }

    /** All sections, complete. */
    static String full(final List<TextSection> sections)
    {
        final StringBuilder text = new StringBuilder(4096);
        for (final TextSection section : sections)
        {
            append(text, section.isSpaced, section.full);
        }

        return text.toString();
    }

    /** The most important lines: at most {@link #MAX_LINES}, of at most {@link #WIDTH} columns unless a single word is longer. */
    static String brief(final List<TextSection> sections)
    {
        final Map<TextSection, List<String>> lines = new IdentityHashMap<>();
        final List<TextSection> ranked = new ArrayList<>(sections);
        ranked.removeIf((section) -> FULL_ONLY == section.rank);
        ranked.sort(Comparator.comparingInt(TextSection::rank));
        int room = MAX_LINES;
        for (final TextSection section : ranked)
        {
            lines.put(section, section.briefLines(Math.min(room, section.limit)));
            room -= lines.get(section).size();
        }

        final long spaceCount = sections.stream()
            .filter((section) -> section.isSpaced && !lines.getOrDefault(section, List.of()).isEmpty()).count();
        final boolean isRoomy = spaceCount <= room;
        final StringBuilder text = new StringBuilder(2048);
        for (final TextSection section : sections)
        {
            append(text, section.isSpaced && isRoomy, lines.getOrDefault(section, List.of()));
        }

        return text.toString();
    }

    /** An entry that fits on a line. */
    static String cut(final String entry)
    {
        return entry.length() <= WIDTH ? entry : marked(entry);
    }

    private static void append(final StringBuilder text, final boolean isSpaced, final List<String> lines)
    {
        text.append(isSpaced && !lines.isEmpty() ? "\n" : "");
        lines.forEach((line) -> text.append(line.stripTrailing()).append('\n'));
    }

    private List<String> briefLines(final int max)
    {
        final List<String> lines = new ArrayList<>();
        int shownCount = 0;
        for (final String entry : brief)
        {
            final boolean isLast = brief.size() - 1 == shownCount;
            final int room = max - lines.size() - (isLast || null == rest ? 0 : 1);
            final List<String> wrapped = wrapped(entry);
            if (room <= 0 || wrapped.size() > room && !lines.isEmpty() && null != rest)
            {
                break;
            }
            lines.addAll(cut(wrapped, room));
            shownCount++;
        }
        if (null != rest && shownCount < brief.size() && lines.size() < max)
        {
            lines.add(" ".repeat(indent) + "and " + (brief.size() - shownCount) + " more " + rest);
        }

        return lines;
    }

    private List<String> wrapped(final String entry)
    {
        final List<String> lines = new ArrayList<>();
        String line = entry;
        while (line.length() > WIDTH)
        {
            int end = line.lastIndexOf(' ', WIDTH);
            if (end <= indent)
            {
                end = line.indexOf(' ', WIDTH);
            }
            if (end < 0)
            {
                break;
            }
            lines.add(line.substring(0, end));
            line = " ".repeat(indent) + line.substring(end + 1);
        }
        lines.add(line);
        return lines;
    }

    private static List<String> cut(final List<String> wrapped, final int max)
    {
        return wrapped.size() <= max ? wrapped :
            Stream.concat(wrapped.stream().limit(max - 1), Stream.of(marked(wrapped.get(max - 1)))).toList();
    }

    private static String marked(final String line)
    {
        final int length = Math.min(line.length(), WIDTH - CUT.length());
        return line.substring(0, length).replaceFirst("[ ,;:(]+$", "") + CUT;
    }
}

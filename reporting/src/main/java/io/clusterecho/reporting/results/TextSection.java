package io.clusterecho.reporting.results;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * A part of a text for a person. The full form prints every section in the order of the list. The short form has the same
 * order, but a limited number of lines: sections get theirs in the order of their rank, long entries are wrapped or cut.
 *
 * @param rank     from 1 for the most important; {@link #FULL_ONLY} for a section that the short form leaves out.
 * @param isSpaced whether an empty line precedes the section; in the short form only if there is room.
 * @param limit    most lines in the short form.
 * @param indent   of the further lines of an entry.
 * @param rest     what the entries are, to count those left out; null to leave them out without a count.
 * @param wrapped  how many entries are wrapped where they do not fit; the others are cut.
 */
record TextSection(
    int rank, boolean isSpaced, List<String> full, List<String> brief, int limit, int indent, String rest, int wrapped)
{
    static final int FULL_ONLY = Integer.MAX_VALUE;
    static final int ALL = Integer.MAX_VALUE;
    static final int MAX_LINES = 24;

    private static final String CUT = "...";

    /** A section with the same lines in both forms, which are wrapped. */
    static TextSection of(final int rank, final int limit, final List<String> lines)
    {
        return new TextSection(rank, false, lines, lines, limit, 0, null, ALL);
    }

    /** A section with the same lines in both forms, of which the short form cuts those that do not fit. */
    static TextSection cut(final int rank, final boolean isSpaced, final int limit, final List<String> lines)
    {
        return new TextSection(rank, isSpaced, lines, lines, limit, 0, null, 0);
    }

    static TextSection full(final boolean isSpaced, final List<String> lines)
    {
        return new TextSection(FULL_ONLY, isSpaced, lines, List.of(), 0, 0, null, 0);
    }

    static String full(final List<TextSection> sections)
    {
        final StringBuilder text = new StringBuilder(4096);
        for (final TextSection section : sections)
        {
            append(text, section.isSpaced, section.full);
        }

        return text.toString();
    }

    /** The most important lines: at most {@link #MAX_LINES}, no wider than asked unless a single word is. */
    static String brief(final List<TextSection> sections, final int width)
    {
        final Map<TextSection, List<String>> lines = new IdentityHashMap<>();
        final List<TextSection> ranked = new ArrayList<>(sections);
        ranked.removeIf((section) -> FULL_ONLY == section.rank);
        ranked.sort(Comparator.comparingInt(TextSection::rank));
        int room = MAX_LINES;
        for (final TextSection section : ranked)
        {
            lines.put(section, section.briefLines(Math.min(room, section.limit), width));
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

    private static void append(final StringBuilder text, final boolean isSpaced, final List<String> lines)
    {
        text.append(isSpaced && !lines.isEmpty() ? "\n" : "");
        lines.forEach((line) -> text.append(line.stripTrailing()).append('\n'));
    }

    private List<String> briefLines(final int max, final int width)
    {
        final List<String> lines = new ArrayList<>();
        int shownCount = 0;
        for (final String entry : brief)
        {
            final boolean isLast = brief.size() - 1 == shownCount;
            final int room = max - lines.size() - (isLast || null == rest ? 0 : 1);
            final List<String> fitting = shownCount < wrapped ? wrapped(entry, width, indent) :
                List.of(entry.length() <= width ? entry : marked(entry, width));
            if (room <= 0 || fitting.size() > room && !lines.isEmpty() && null != rest)
            {
                break;
            }
            lines.addAll(fitting.size() <= room ? fitting : Stream.concat(
                fitting.stream().limit(room - 1), Stream.of(marked(fitting.get(room - 1), width))).toList());
            shownCount++;
        }
        if (null != rest && shownCount < brief.size() && lines.size() < max)
        {
            lines.add(" ".repeat(indent) + "and " + (brief.size() - shownCount) + " more " + rest);
        }

        return lines;
    }

    /** Lines that end between columns of a table or between words; a word that is wider stays whole. */
    static List<String> wrapped(final String entry, final int width, final int indent)
    {
        final List<String> lines = new ArrayList<>();
        String line = entry;
        while (line.length() > width)
        {
            int end = line.lastIndexOf("  ", width);
            end = end > width / 2 ? end : line.lastIndexOf(' ', width);
            end = end > indent ? end : line.indexOf(' ', width);
            if (end < 0)
            {
                break;
            }
            lines.add(line.substring(0, end));
            line = " ".repeat(indent) + line.substring(end).strip();
        }
        lines.add(line);
        return lines;
    }

    private static String marked(final String line, final int width)
    {
        final int length = Math.min(line.length(), width - CUT.length());
        return line.substring(0, length).replaceFirst("[ ,;:(]+$", "") + CUT;
    }
}

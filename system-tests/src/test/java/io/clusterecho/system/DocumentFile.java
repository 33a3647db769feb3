package io.clusterecho.system;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** A Markdown file: its links, its anchors as GitHub makes them, its long lines, and the commands in its code. */
final class DocumentFile
{
    static final int MAX_LINE_LENGTH = 120;
    private static final String FENCE = "```";
    private static final Pattern CODE = Pattern.compile("`((?:[^`\n]|\n(?!\n))+)`");
    private static final Pattern TARGET = Pattern.compile("(?m)\\]\\(([^)\\s]+)\\)|^\\[[^\\]]+\\]: (\\S+)$");
    private static final Pattern REFERENCE = Pattern.compile("\\]\\[([^\\]]+)\\]");
    private static final Pattern DEFINITION = Pattern.compile("(?m)^\\[([^\\]]+)\\]: \\S+$");
    private static final Pattern MARKER = Pattern.compile("<!-- test: (.+) -->");
    private static final Pattern LONE_LINK = Pattern.compile("^[-*(]?\\s*\\[[^\\]]*\\]\\([^)]*\\)[.,;:)]*$");

    private final Path file;
    private final List<Line> lines = new ArrayList<>();

    DocumentFile(final Path file) throws IOException
    {
        this.file = file;
        boolean isFenced = false;
        int number = 0;
        for (final String text : Files.readAllLines(file))
        {
            number++;
            final boolean isFence = text.startsWith(FENCE);
            lines.add(new Line(number, text, isFenced || isFence || text.startsWith("    ")));
            isFenced ^= isFence;
        }
    }

    /** What is wrong with links and line lengths, a sentence each. */
    List<String> problems() throws IOException
    {
        final List<String> problems = new ArrayList<>();
        for (final Line line : lines)
        {
            if (!line.isCode && isTooLong(line.text))
            {
                problems.add(line.at(file) + "a line of " + line.text.length() + ", at most " + MAX_LINE_LENGTH);
            }
        }

        // Links may span lines, so the text keeps its line ends and loses its code.
        final String prose = lines.stream().map((line) -> line.isCode ? "" : line.text).collect(Collectors.joining("\n"));
        final String text = CODE.matcher(prose).replaceAll((code) -> "\n".repeat((int)code.group().lines().count() - 1));
        final Set<String> defined = new HashSet<>();
        matches(DEFINITION, text).forEach((match) -> defined.add(match.group(1)));
        for (final MatchResult match : matches(TARGET, text))
        {
            final String target = null == match.group(1) ? match.group(2) : match.group(1);
            problemOf(target).ifPresent((problem) -> problems.add(at(text, match) + target + ": " + problem));
        }
        matches(REFERENCE, text).stream().filter((match) -> !defined.contains(match.group(1)))
            .forEach((match) -> problems.add(at(text, match) + "[" + match.group(1) + "]: not defined"));
        return problems;
    }

    /** Lines of code blocks and spans of inline code, with the place of each. */
    List<Line> code()
    {
        final List<Line> code = new ArrayList<>();
        final StringBuilder continued = new StringBuilder();
        final StringBuilder paragraph = new StringBuilder();
        int first = 0;
        for (final Line line : lines)
        {
            if (line.isCode)
            {
                continued.append(' ').append(line.text.strip().replaceAll("\\\\$", ""));
                if (!line.text.endsWith("\\"))
                {
                    code.add(new Line(line.number, continued.toString().strip(), true));
                    continued.setLength(0);
                }
            }
            if (line.isCode || line.text.isBlank() || line.text.startsWith("|"))
            {
                addSpans(code, first, paragraph);
            }
            if (!line.isCode)
            {
                first = paragraph.isEmpty() ? line.number : first;
                paragraph.append(line.text).append(' ');
            }
        }
        addSpans(code, first, paragraph);
        return code;
    }

    /** The code blocks, each with the comment for tests before it. A comment without one is a block without lines. */
    List<DocumentBlock> blocks()
    {
        final List<DocumentBlock> blocks = new ArrayList<>();
        final List<String> block = new ArrayList<>();
        String marker = "";
        for (final Line line : lines)
        {
            final Matcher comment = MARKER.matcher(line.text);
            if (line.isCode)
            {
                block.add(line.text);
                continue;
            }
            if (!block.isEmpty() || (!marker.isEmpty() && !line.text.isBlank()))
            {
                block.removeIf((text) -> text.startsWith(FENCE));
                blocks.add(new DocumentBlock(line.number - block.size(), marker, List.copyOf(block)));
                block.clear();
                marker = "";
            }
            marker = comment.matches() ? comment.group(1) : marker;
        }
        if (!block.isEmpty() || !marker.isEmpty())
        {
            blocks.add(new DocumentBlock(lines.size() + 1 - block.size(), marker, block));
        }

        return blocks;
    }

    Path path()
    {
        return file;
    }

    private static void addSpans(final List<Line> code, final int number, final StringBuilder paragraph)
    {
        matches(CODE, paragraph).forEach((match) -> code.add(new Line(number, match.group(1), true)));
        paragraph.setLength(0);
    }

    private Optional<String> problemOf(final String target) throws IOException
    {
        if (target.matches("[a-z]+:.*"))
        {
            return Optional.empty();
        }

        final String[] parts = target.split("#", 2);
        final Path linked = parts[0].isEmpty() ? file : file.resolveSibling(parts[0]).normalize();
        if (!Files.exists(linked))
        {
            return Optional.of("no such file");
        }

        final boolean isAnchorKnown = 1 == parts.length ||
            (linked.toString().endsWith(".md") && new DocumentFile(linked).anchors().contains(parts[1]));
        return isAnchorKnown ? Optional.empty() : Optional.of("no such heading");
    }

    private Set<String> anchors()
    {
        final Set<String> anchors = new HashSet<>();
        final Map<String, Integer> counts = new HashMap<>();
        for (final Line line : lines)
        {
            if (!line.isCode && line.text.matches("#{1,6} .*"))
            {
                final String anchor = line.text.replaceFirst("^#+ ", "").replaceAll("\\[([^\\]]*)\\]\\([^)]*\\)", "$1")
                    .toLowerCase(Locale.ROOT).replaceAll("[^\\p{L}\\p{N} _-]", "").replace(' ', '-');
                final int count = counts.merge(anchor, 1, Integer::sum);
                anchors.add(1 == count ? anchor : anchor + "-" + (count - 1));
            }
        }
        return anchors;
    }

    private static boolean isTooLong(final String text)
    {
        return text.length() > MAX_LINE_LENGTH && !text.startsWith("|") && !LONE_LINK.matcher(text).matches() &&
            !DEFINITION.matcher(text).matches() && !MARKER.matcher(text).matches();
    }

    private static List<MatchResult> matches(final Pattern pattern, final CharSequence text)
    {
        return pattern.matcher(text).results().toList();
    }

    private String at(final String text, final MatchResult match)
    {
        return file + ":" + (1 + text.substring(0, match.start()).chars().filter((c) -> '\n' == c).count()) + ": ";
    }

    record Line(int number, String text, boolean isCode)
    {
        String at(final Path file)
        {
            return file + ":" + number + ": ";
        }
    }
}

package io.clusterecho.system;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;

/**
 * Makes the table of faults in docs/FAULTS.md from {@code fault-matrix.txt} and the tags of all tests: the tag
 * {@code matrix-10} of a test means that it shows row 10.
 */
class FaultTableTest
{
    private static final Path ROOT = Path.of("..");
    private static final Path DOCUMENT = ROOT.resolve("docs/FAULTS.md");
    private static final String BEGIN = "<!-- made from the tags of tests: begin -->\n";
    private static final String END = "<!-- made from the tags of tests: end -->\n";
    private static final int ROW_COUNT = 36;
    private static final Pattern TAG_OR_TEST =
        Pattern.compile("@Tag\\(\"matrix-(\\d+)\"\\)|^    void (should\\w+)\\(", Pattern.MULTILINE);
    private static final Pattern ROW = Pattern.compile("(\\d+) \\| ([^|]+) \\| ([^|]+) \\|(.*)");

    @Test
    void shouldShowOrExplainEachRowAsTheDocumentSays() throws IOException
    {
        final SortedMap<Integer, SortedSet<String>> tests = tests();
        final StringBuilder table = new StringBuilder("| | fault | expected | shown by |\n|---|---|---|---|\n");
        final List<String> rows = Files.readAllLines(Path.of("src/test/resources/fault-matrix.txt"));
        assertThat(rows).hasSize(ROW_COUNT);
        for (int number = 1; number <= ROW_COUNT; number++)
        {
            final Matcher row = ROW.matcher(rows.get(number - 1));
            assertThat(row.matches()).as(rows.get(number - 1)).isTrue();
            assertThat(Integer.parseInt(row.group(1))).isEqualTo(number);
            final String reason = row.group(4).trim();
            final SortedSet<String> shown = tests.getOrDefault(number, new TreeSet<>());
            assertThat(shown.isEmpty()).as("row %d has tests %s and the reason '%s'", number, shown, reason)
                .isEqualTo(!reason.isEmpty());
            table.append("| ").append(number).append(" | ").append(row.group(2)).append(" | ").append(row.group(3))
                .append(" | ").append(shown.isEmpty() ? reason : String.join(", ", shown)).append(" |\n");
        }

        final String text = Files.readString(DOCUMENT);
        final int begin = text.indexOf(BEGIN) + BEGIN.length();
        assertThat(text.substring(begin, text.indexOf(END))).as("put this table into %s", DOCUMENT).isEqualTo(table.toString());
    }

    @Test
    void shouldFindTheTagsBeforeATest()
    {
        final SortedMap<Integer, SortedSet<String>> tests = new TreeMap<>();
        collect(
            "XTest", "    @Tag(\"matrix-2\")\n    @Tag(\"matrix-3\")\n    @Test\n    void shouldA()\n    void shouldB()\n",
            tests);
        assertThat(tests).hasToString("{2=[`XTest.shouldA`], 3=[`XTest.shouldA`]}");
    }

    private static SortedMap<Integer, SortedSet<String>> tests() throws IOException
    {
        final SortedMap<Integer, SortedSet<String>> tests = new TreeMap<>();
        try (Stream<Path> modules = Files.list(ROOT))
        {
            for (final Path sources : modules.map((any) -> any.resolve("src/test/java")).filter(Files::isDirectory).toList())
            {
                try (Stream<Path> files = Files.walk(sources))
                {
                    for (final Path file : files.filter((path) -> path.toString().endsWith(".java")).toList())
                    {
                        collect(file.getFileName().toString().replace(".java", ""), Files.readString(file), tests);
                    }
                }
            }
        }
        return tests;
    }

    private static void collect(final String name, final String source, final SortedMap<Integer, SortedSet<String>> tests)
    {
        final SortedSet<Integer> rows = new TreeSet<>();
        final Matcher matcher = TAG_OR_TEST.matcher(source);
        while (matcher.find())
        {
            if (null != matcher.group(1))
            {
                rows.add(Integer.valueOf(matcher.group(1)));
            }
            else
            {
                rows.forEach((row) -> tests.computeIfAbsent(row, (any) -> new TreeSet<>())
                    .add("`" + name + "." + matcher.group(2) + "`"));
                rows.clear();
            }
        }
    }
}

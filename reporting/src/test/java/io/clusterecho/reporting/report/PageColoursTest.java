package io.clusterecho.reporting.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;

/** One colour means one thing on the page, in light and in dark colours. */
class PageColoursTest
{
    private static final Path FOLDER = Path.of("src", "main", "resources", "io", "clusterecho", "reporting", "report");
    private static final Pattern DEFINITION = Pattern.compile("--([a-z0-9-]+): ([^;]+);");
    private static final Pattern USE = Pattern.compile("color\\('([a-z0-9-]+)'\\)|var\\(--([a-z0-9-]+)\\)");
    private static final Set<String> SURFACES = Set.of(
        "paper", "panel", "line", "shade", "good-back", "partial-back", "failed", "failed-back", "failed-ink");

    @Test
    void shouldDefineEveryColourThatScriptsUse() throws IOException
    {
        final Set<String> used = new TreeSet<>();
        try (Stream<Path> files = Files.list(FOLDER))
        {
            for (final Path file : files.toList())
            {
                final Matcher matcher = USE.matcher(Files.readString(file));
                while (matcher.find())
                {
                    used.add(null == matcher.group(1) ? matcher.group(2) : matcher.group(1));
                }
            }
        }
        assertThat(used).hasSizeGreaterThan(30);
        for (final Map<String, String> scheme : schemes())
        {
            assertThat(scheme).containsKeys(used.toArray(new String[0]));
        }
    }

    @Test
    void shouldUseEachColourForOneMeaning() throws IOException
    {
        for (final Map<String, String> scheme : schemes())
        {
            final Map<String, String> meanings = new TreeMap<>();
            scheme.forEach((name, colours) -> Arrays.stream(colours.split(" ")).filter((one) -> one.startsWith("#"))
                .filter((one) -> !SURFACES.contains(name)).forEach((colour) ->
                    assertThat(meanings.putIfAbsent(colour, name)).as(colour + " of " + name).isNull()));
        }
    }

    private static List<Map<String, String>> schemes() throws IOException
    {
        final String css = Files.readString(FOLDER.resolve("report.css"));
        final int dark = css.indexOf("@media screen");
        return List.of(
            definitions(css.substring(0, dark)), definitions(css.substring(dark, css.indexOf("* { box-sizing"))));
    }

    private static Map<String, String> definitions(final String css)
    {
        final Map<String, String> definitions = new TreeMap<>();
        final Matcher matcher = DEFINITION.matcher(css);
        while (matcher.find())
        {
            definitions.put(matcher.group(1), matcher.group(2));
        }
        return definitions;
    }
}

package io.clusterecho.system;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;

/** Checks that the sources contain every message that docs/TROUBLESHOOTING.md explains, and that each row adds to its message. */
class TroubleshootingTest
{
    private static final Path ROOT = Path.of("..");
    private static final Path DOCUMENT = ROOT.resolve("docs/TROUBLESHOOTING.md");
    private static final String VARIABLE = "\u2026";
    /** A variable part in the texts of the sources. */
    private static final String GAP = "\0";
    private static final Pattern MESSAGE = Pattern.compile("^\\| `([^`]+)` \\|.*");
    private static final Pattern LITERAL = Pattern.compile("\"((?:[^\"\\\\\n]|\\\\.)*)\"");
    private static final int MAX_VARIABLE_LENGTH = 400;

    @Test
    void shouldQuoteMessagesThatTheSourcesContain() throws IOException
    {
        final List<String> sources = sources();
        final List<String> messages = messages().stream().flatMap(List::stream).toList();
        assertThat(messages).hasSizeGreaterThan(100);
        assertThat(messages.stream().filter((message) -> sources.stream().noneMatch((text) -> contains(text, message))))
            .as("messages that no source contains any more").isEmpty();
    }

    /** Each rejection of a setting says what is allowed, and others name the command that helps. */
    @Test
    void shouldListNoMessageThatSaysItsOwnCure() throws IOException
    {
        assertThat(Files.readAllLines(DOCUMENT).stream().filter((line) -> MESSAGE.matcher(line).matches()))
            .noneMatch((row) -> row.matches("(?i).*\\| (as (it|the \\w+) says?|one of (these|them|the list))\\. \\|"));
    }

    @Test
    void shouldSortTheMessagesOfEachSection() throws IOException
    {
        for (final List<String> section : messages())
        {
            assertThat(section).isSortedAccordingTo((one, other) -> words(one).compareTo(words(other)));
        }
    }

    @Test
    void shouldNoticeAMessageThatChanged()
    {
        final String text = textOf("x(\"no leader in \" + dir +\n    \": start \" + \"it\"); y(\"%.1f s \\\"late\\\"\")");
        assertThat(contains(text, "no leader in " + VARIABLE + ": start it")).isTrue();
        assertThat(contains(text, VARIABLE + " s \"late\"")).isTrue();
        assertThat(contains(text, "no leader in " + VARIABLE + ": stop it")).isFalse();
        assertThat(contains(text, "no leader in : start it")).isFalse();
    }

    private static List<List<String>> messages() throws IOException
    {
        final List<List<String>> sections = new ArrayList<>();
        for (final String line : Files.readAllLines(DOCUMENT))
        {
            if (line.startsWith("## "))
            {
                sections.add(new ArrayList<>());
            }
            MESSAGE.matcher(line).results()
                .forEach((row) -> sections.get(sections.size() - 1).add(row.group(1).replace("\\|", "|")));
        }
        return sections;
    }

    private static String words(final String message)
    {
        return message.toLowerCase(Locale.ROOT).replaceAll("[^a-z0-9 ]", "").strip();
    }

    private static boolean contains(final String text, final String message)
    {
        final String parts = Arrays.stream(message.split(VARIABLE)).map(String::strip).filter((part) -> !part.isEmpty())
            .map(Pattern::quote).collect(Collectors.joining("[\\s\\S]{0," + MAX_VARIABLE_LENGTH + "}?"));
        return Pattern.compile(parts).matcher(text).find();
    }

    private static List<String> sources() throws IOException
    {
        final List<String> sources = new ArrayList<>();
        for (final Path folder : sourceFolders())
        {
            for (final Path file : files(folder, ".java"))
            {
                sources.add(textOf(Files.readString(file)));
            }
        }
        for (final Path file : files(ROOT.resolve("scripts"), ".sh"))
        {
            sources.add(Files.readString(file).replaceAll("\\$(\\w+|\\{[^}]*\\})", GAP));
        }
        return sources;
    }

    private static List<Path> sourceFolders() throws IOException
    {
        try (Stream<Path> modules = Files.list(ROOT))
        {
            return modules.map((module) -> module.resolve("src/main/java")).filter(Files::isDirectory).toList();
        }
    }

    private static List<Path> files(final Path folder, final String ending) throws IOException
    {
        try (Stream<Path> files = Files.walk(folder))
        {
            return files.filter((file) -> file.toString().endsWith(ending)).toList();
        }
    }

    /** The string literals of a source, concatenated ones joined, with gaps for what is not literal. */
    private static String textOf(final String source)
    {
        final String joined = source.replace("'\"'", "").replaceAll("\"\\s*\\+\\s*\"", "");
        return LITERAL.matcher(joined).results().map((literal) -> literal.group(1)).collect(Collectors.joining(GAP))
            .replace("\\\"", "\"").replaceAll("%[-+,0-9.]*[a-z]", GAP).replace("%%", "%");
    }
}

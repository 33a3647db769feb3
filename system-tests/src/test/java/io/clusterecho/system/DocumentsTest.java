package io.clusterecho.system;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Checks the links, anchors, line lengths and commands of the documents. */
class DocumentsTest
{
    private static final Path ROOT = Path.of("..");

    @TempDir
    private Path folder;

    @Test
    void shouldLinkToFilesAndHeadingsThatExistInLinesThatFit() throws IOException
    {
        final List<String> problems = new ArrayList<>();
        for (final DocumentFile document : documents())
        {
            problems.addAll(document.problems());
        }
        assertThat(problems).isEmpty();
    }

    @Test
    void shouldContainCommandsAndOptionsThatExist() throws IOException
    {
        final DocumentedCommands commands = new DocumentedCommands(ROOT);
        final List<String> problems = new ArrayList<>();
        for (final DocumentFile document : documents())
        {
            for (final DocumentFile.Line line : document.code())
            {
                commands.problems(line.text()).forEach((problem) -> problems.add(line.at(document.path()) + problem));
            }
        }
        assertThat(problems).isEmpty();
    }

    @Test
    void shouldRunEveryCommandOrNameTheReason() throws IOException
    {
        final DocumentedCommands commands = new DocumentedCommands(ROOT);
        final List<String> problems = new ArrayList<>();
        for (final DocumentFile document : documents())
        {
            problems.addAll(problemsOfBlocks(document, commands));
        }
        assertThat(problems).isEmpty();
    }

    /** A reader begins with any section. */
    @Test
    void shouldStartAndStopAClusterInEachSectionOfTheReadmeThatNeedsOne() throws IOException
    {
        final Pattern needing = Pattern.compile("bin/load-client (-|max-rate|overload|ping-pong)");
        final List<String> wrong = new ArrayList<>();
        for (final DocumentBlock block : new DocumentFile(ROOT.resolve("README.md")).blocks())
        {
            final String script = block.isScript() ? block.script(new DocumentedCommands(ROOT)) : "";
            final int start = script.indexOf("scripts/start-cluster.sh");
            final int stop = script.indexOf("scripts/stop-cluster.sh");
            final Matcher need = needing.matcher(script);
            if (need.find() && (start < 0 || start > need.start()) ||
                !"other hosts".equals(block.skipReason()) && ((start < 0) != (stop < 0) || stop < start))
            {
                wrong.add(script);
            }
        }
        assertThat(wrong).isEmpty();
    }

    /** The README shows what committed runs printed: lines in their order, whole or the beginning of each. */
    @Test
    void shouldShowOutputsOfCommittedResults() throws IOException
    {
        final Matcher outputs = Pattern.compile(
            "\n\n((?: {4}.*\n|\n(?= {4}))+)\n(?:\\(From \\[[^]]*]\\((results/[^)]+\\.txt)\\))?")
            .matcher(Files.readString(ROOT.resolve("README.md")));
        int count = 0;
        while (outputs.find())
        {
            assertThat(outputs.group(2)).as("the committed file from which this is: %s", outputs.group(1)).isNotNull();
            final String printed = plain(Files.readString(ROOT.resolve(outputs.group(2))));
            int end = 0;
            for (final String line : outputs.group(1).lines().filter((line) -> !line.isBlank()).toList())
            {
                final int begin = printed.indexOf(plain(line), end);
                assertThat(begin).as("%s contains, in this order,%s", outputs.group(2), plain(line)).isNotNegative();
                end = begin + 1;
            }
            count++;
        }
        assertThat(count).isGreaterThan(5);
    }

    private static String plain(final String lines)
    {
        return ("\n" + lines).replaceAll("[ \t]*\n[ \t]*", "\n").replaceAll("[ \t]+", " ");
    }

    @Test
    void shouldBeginEachPageWithWhatItAnswers() throws IOException
    {
        final List<Path> others = new ArrayList<>();
        try (Stream<Path> files = Files.list(ROOT.resolve("docs")))
        {
            for (final Path file : files.filter((path) -> path.toString().endsWith(".md")).toList())
            {
                // A heading, and a paragraph of at most five lines.
                if (!Files.readString(file).matches("(?s)# [^\\n]+\\n\\n(?:(?!```)[^\\n#| ][^\\n]*\\n){1,5}(\\n.*)?"))
                {
                    others.add(file);
                }
            }
        }
        assertThat(others).isEmpty();
    }

    @Test
    void shouldListEveryDocumentInTheIndexOfItsFolder() throws IOException
    {
        try (Stream<Path> files = Files.walk(ROOT.resolve("docs")))
        {
            for (final Path file : files.filter((one) -> one.toString().endsWith(".md")).toList())
            {
                final String index = Files.readString(file.resolveSibling("README.md"));
                assertThat(file.endsWith("README.md") || index.contains("](" + file.getFileName() + ")")).as("%s", file).isTrue();
            }
        }
        assertThat(ROOT.resolve("docs/README.md")).content().contains("](adr/README.md)");
    }

    @Test
    void shouldReportEachProblemOfABrokenDocument() throws IOException
    {
        final Path other = Files.writeString(folder.resolve("other.md"), "# A heading, `with` code\n## Twice\n## Twice\n");
        final Path sample = Files.writeString(folder.resolve("sample.md"), String.join("\n",
            "# Sample",
            "[fine](other.md#a-heading-with-code) [fine](#sample) [fine](other.md#twice-1) [fine](https://example.org/x#y)",
            "[no file](missing.md) and `[not a link](in-code.md)`",
            "[no heading](other.md#no-such) [none here](#nothing)",
            "[fine][a] [undefined][b] [over two",
            "lines](missing.md) `code of",
            "two lines](missing.md)`",
            "x".repeat(120),
            "x".repeat(121),
            "| " + "x".repeat(121) + " |",
            "    " + "x".repeat(121),
            "[one long link](other.md?" + "x".repeat(121) + ")",
            "```",
            "[in a block](missing.md) " + "x".repeat(121),
            "```",
            "[a]: other.md#twice-2",
            ""));
        final String at = sample + ":";
        assertThat(new DocumentFile(other).problems()).isEmpty();
        assertThat(new DocumentFile(sample).problems()).containsExactly(
            at + "9: a line of 121, at most 120",
            at + "3: missing.md: no such file",
            at + "4: other.md#no-such: no such heading",
            at + "4: #nothing: no such heading",
            at + "6: missing.md: no such file",
            at + "12: other.md?" + "x".repeat(121) + ": no such file",
            at + "16: other.md#twice-2: no such heading",
            at + "5: [b]: not defined");
    }

    @Test
    void shouldReportEachCommandThatDoesNotExist() throws IOException
    {
        final Path sample = Files.writeString(folder.resolve("sample.md"), String.join("\n",
            "Run `java -jar load-client.jar",
            "max-rates` or `scripts/none.sh`.",
            "",
            "    java @config/jvm/client.options -jar load-client.jar max-rate --slo 'p99<1ms --no' --rates 5 # --comment",
            "    java -jar cluster-node.jar doctor \\",
            "        --fsync 1 --fsnc 2",
            "    scripts/start-cluster.sh --members 3 --mebers 3",
            "    sudo scripts/prepare-host.sh --apply --aply",
            "    java -jar peers.jar serve grpc --port 21000 | cat --this",
            "    ../bin/load-client failover --cycles 2 --cyles 2",
            "    bin/load-clients --rate 1k",
            ""));
        final DocumentedCommands commands = new DocumentedCommands(ROOT);
        assertThat(new DocumentFile(sample).code().stream()
            .flatMap((line) -> commands.problems(line.text()).stream().map((problem) -> line.number() + ": " + problem)))
            .containsExactly(
                "1: load-client: no command max-rates",
                "1: scripts/none.sh: no such script",
                "4: load-client max-rate: no option --rates",
                "6: cluster-node doctor: no option --fsnc",
                "7: cluster-node start: no option --mebers",
                "8: scripts/prepare-host.sh: no option --aply",
                "10: load-client failover: no option --cyles",
                "11: bin/load-clients: no such launcher");
    }

    @Test
    void shouldReportEachCommentForTestsThatHasNoEffect() throws IOException
    {
        final DocumentFile sample = new DocumentFile(Files.writeString(folder.resolve("sample.md"), String.join("\n",
            "<!-- test: skip boredom -->",
            "    scripts/demo.sh",
            "<!-- test: skip root -->",
            "Text.",
            "<!-- test: status 99; faster -->",
            "    scripts/demo.sh",
            "<!-- test: --cycles 1 -->",
            "    scripts/demo.sh",
            "",
            "    watch scripts/demo.sh",
            "")));
        assertThat(problemsOfBlocks(sample, new DocumentedCommands(ROOT)).stream()
            .map((problem) -> problem.substring(problem.indexOf(".md:") + 4))).containsExactly(
                "2: 'boredom' is not a reason to skip; allowed are " + String.join(", ", DocumentBlock.REASONS),
                "4: no commands after the comment for tests",
                "6: 'faster' is neither skip REASON nor status N nor options with values",
                "8: no command of the block has the option --cycles",
                "10: a block with a command whose first word is not known as a program, so that no test runs it");
    }

    @Test
    void shouldRunCommandsWithTheOptionsOfAComment() throws IOException
    {
        final DocumentFile sample = new DocumentFile(Files.writeString(folder.resolve("sample.md"), String.join("\n",
            "<!-- test: --duration 2s --rate 1k --set a=b; status 0 or 99 -->",
            "",
            "    scripts/start-cluster.sh --set echo.stages=true     # members",
            "    bin/load-client --rate 100k \\",
            "        --assert 'p99<1ms' # fast",
            "    bin/load-client matrix config/matrix/quick &",
            "    for i in 1 2; do",
            "        bin/load-client --rate=5 --duration 10s",
            "    done",
            "",
            "    rate       1,000",
            "")));
        final DocumentBlock block = sample.blocks().get(0);
        assertThat(block.number()).isEqualTo(3);
        assertThat(block.statuses()).containsExactly(0, 99);
        assertThat(block.skipReason()).isNull();
        assertThat(block.commandCount()).isEqualTo(4);
        assertThat(block.script(new DocumentedCommands(ROOT))).hasToString(String.join("\n",
            "scripts/start-cluster.sh --set echo.stages=true --set a=b     # members",
            "bin/load-client --rate 1k --assert 'p99<1ms' --duration 2s # fast",
            "bin/load-client matrix config/matrix/quick --duration 2s --rate 1k --set a=b &",
            "for i in 1 2; do",
            "    bin/load-client --rate=1k --duration 2s",
            "done",
            ""));
        assertThat(sample.blocks()).hasSize(2);
        assertThat(sample.blocks().get(1).isScript()).isFalse();
    }

    private static List<String> problemsOfBlocks(final DocumentFile document, final DocumentedCommands commands)
    {
        return document.blocks().stream().flatMap((block) -> block.problems(commands).stream()
            .map((problem) -> document.path() + ":" + block.number() + ": " + problem)).toList();
    }

    private static List<DocumentFile> documents() throws IOException
    {
        final List<DocumentFile> documents = new ArrayList<>();
        try (Stream<Path> docs = Files.walk(ROOT.resolve("docs")))
        {
            final Stream<Path> others = Stream.of(
                "README.md", "CONTRIBUTING.md", "RELEASING.md", "CHANGELOG.md", "results/README.md")
                .map(ROOT::resolve);
            final Stream<Path> files = Stream.concat(others, docs.filter((path) -> path.toString().endsWith(".md")).sorted());
            for (final Path file : files.toList())
            {
                documents.add(new DocumentFile(file));
            }
        }
        assertThat(documents).hasSizeGreaterThan(40);
        return documents;
    }
}

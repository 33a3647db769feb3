package io.clusterecho.system;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

import io.clusterecho.testing.Need;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Runs the commands of the documents as a reader would: those of a document one after the other, in a copy of the checkout with
 * its jars. {@link DocumentBlock} has what a document can say about its tests.
 * <p>
 * Each document has its own namespaces of processes, ports and shared memory. Its clusters are at the default ports, and all of
 * its processes end with it, so two documents run at a time. With {@code -Dtest.document=docs/SWEEPS.md} only that document is
 * run.
 */
@Tag("slow")
@Timeout(1200)
class DocumentCommandsIT
{
    private static final Path ROOT = EchoCluster.ROOT;
    private static final long TIMEOUT_NS = TimeUnit.SECONDS.toNanos(900);
    private static final int MAX_OUTPUT_LENGTH = 3000;
    /** $1: the checkout, $2: a folder with the scripts, named by their line in the document. */
    private static final String RUN = String.join("\n",
        "set -euo pipefail",
        "ip link set lo up",
        "mount -t tmpfs tmpfs /dev/shm",
        "mkdir \"$2/copy\"",
        "cd \"$2/copy\"",
        "tar -C \"$1\" -c --exclude-vcs --exclude=target --exclude=.c-driver --exclude='./results/2*' " +
            "--exclude=./cluster-data . | tar -x",
        "touch ./*.jar",
        "for script in \"$2\"/*.sh",
        "do",
        "    status=0",
        "    bash -uo pipefail \"$script\" > \"$script.out\" 2>&1 < /dev/null || status=$?",
        "    echo \"$status\" > \"$script.status\"",
        "done",
        "");

    /** A reader types the next command whatever became of the last one; the status is that of the first that failed. */
    private static final String BEGIN = "first=0; trap 'status=$?; ((first)) || first=$status' ERR\n";
    private static final String END = "exit \"$first\"\n";

    @TempDir
    private Path folder;

    @Execution(ExecutionMode.CONCURRENT)
    @ParameterizedTest
    @MethodSource("documents")
    void shouldRunTheCommandsOf(final String name) throws IOException
    {
        Need.root();
        final String unshare = Need.UNSHARE.program().toString();
        Need.IP.program();
        final DocumentedCommands commands = new DocumentedCommands(ROOT);
        final List<DocumentBlock> blocks = new DocumentFile(ROOT.resolve(name)).blocks().stream()
            .filter(DocumentBlock::isScript).toList();
        final Map<String, Integer> counts = new TreeMap<>();
        blocks.forEach((block) -> counts.merge(
            null == block.skipReason() ? "run" : "skipped: " + block.skipReason(), block.commandCount(), Integer::sum));
        System.out.println("commands of " + name + ": " + counts);

        final List<DocumentBlock> tested = blocks.stream().filter((block) -> null == block.skipReason()).toList();
        if (tested.isEmpty())
        {
            return;
        }
        for (final DocumentBlock block : tested)
        {
            final String script = block.script(commands);
            if (script.startsWith("jq "))
            {
                Need.JQ.program();
            }
            Files.writeString(script(block), BEGIN + script + END);
        }
        final Path run = Files.writeString(folder.resolve("run"), RUN);
        final CommandResult result = RunningCommand.start(
            List.of(
                unshare, "--net", "--mount", "--pid", "--mount-proc", "--fork", "--kill-child", "env",
                // Not measured here: the C2 compiler would use two cores for the first ten seconds.
                "JDK_JAVA_OPTIONS=-XX:TieredStopAtLevel=1", "JAVA_HOME=" + System.getProperty("java.home"),
                "PATH=" + System.getProperty("java.home") + "/bin:" + System.getenv("PATH") + ":/usr/sbin:/sbin",
                "bash", run.toString(), ROOT.toString(), folder.toString()),
            folder).await(TIMEOUT_NS);
        assertThat(result.exitCode()).as("%s", result).isZero();

        final List<String> problems = new ArrayList<>();
        for (final DocumentBlock block : tested)
        {
            final int status = Integer.parseInt(Files.readString(Path.of(script(block) + ".status")).strip());
            if (!block.statuses().contains(status))
            {
                problems.add(name + ":" + block.number() + ": status " + status + ", expected " + block.statuses() + ": " +
                    end(Files.readString(Path.of(script(block) + ".out"))));
            }
        }
        assertThat(problems).isEmpty();
    }

    private Path script(final DocumentBlock block)
    {
        return folder.resolve("%05d.sh".formatted(block.number()));
    }

    private static String end(final String output)
    {
        return output.substring(Math.max(0, output.length() - MAX_OUTPUT_LENGTH));
    }

    private static List<String> documents() throws IOException
    {
        try (Stream<Path> files = Files.list(ROOT.resolve("docs")))
        {
            return Stream.concat(
                Stream.of("README.md"),
                files.map((file) -> "docs/" + file.getFileName()).filter((name) -> name.endsWith(".md")).sorted())
                .filter((name) -> name.equals(System.getProperty("test.document", name))).toList();
        }
    }
}

package io.clusterecho.reporting.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

import io.clusterecho.testing.Need;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Each committed result records how and at which commit it was made. */
class ResultOriginTest
{
    private static final Path ROOT = Path.of("..");
    private static final Path RESULTS = ROOT.resolve("results");
    private static final Duration TIMEOUT = Duration.ofSeconds(60);
    private static final String COMMAND_IN_A_BLOCK = "(?m)^ {4}(scripts/|bin/|java -jar |mvn )";
    private static final String MANIFEST = "{ \"format\": \"cluster-echo-run/1\", \"versions\": { \"commit\": \"%s\" } }";

    @TempDir
    private Path dir;

    @Test
    void shouldRecordTheCommitAndTheCommandOfEveryCommittedResult() throws IOException
    {
        for (final Path folder : ResultOrigin.committed(RESULTS))
        {
            assertThat(ResultOrigin.of(folder).commits())
                .as("%s: versions.commit in its documents, or a line 'Made at commit ...' in its README.md", folder)
                .isNotEmpty().allMatch((commit) -> ResultOrigin.COMMIT.matcher(commit).matches());
            assertThat(folder.resolve("README.md")).content().as("%s: the command that makes it", folder)
                .containsPattern(COMMAND_IN_A_BLOCK);
        }
    }

    /** Results grow old. That is a warning: not every change of the code changes its figures. */
    @Test
    void shouldHaveMadeEveryCommittedResultAtACommitOfThisHistory() throws Exception
    {
        final CheckoutHistory history = new CheckoutHistory(Need.HISTORY.program(), ROOT, TIMEOUT);
        final String gap = history.gap();
        Need.HISTORY.check(gap.isEmpty(), gap);
        final List<String> missing = new ArrayList<>();
        for (final Path folder : ResultOrigin.committed(RESULTS))
        {
            final ResultOrigin origin = ResultOrigin.of(folder);
            final List<String> ofResult = origin.missing(history);
            ofResult.forEach((commit) -> missing.add(origin.name() + ": " + commit));
            if (ofResult.isEmpty())
            {
                System.out.println(origin.line(history));
            }
        }
        assertThat(missing).as("commits of results that HEAD does not contain").isEmpty();
    }

    @Test
    void shouldTakeCommitsFromEveryDocumentOfAResult() throws IOException
    {
        write("result/README.md", "Made at commit 1234567.\n");
        write("result/1/manifest.json", String.format(MANIFEST, "0123456789ab"));
        write("result/2/manifest.json", String.format(MANIFEST, "0123456789ab-modified"));
        write("result/2/audit.json", "{ \"format\": \"cluster-echo-audit/1\" }");
        assertThat(ResultOrigin.of(dir.resolve("result")).commits()).containsExactly("0123456789ab", "0123456789ab-modified");
    }

    @Test
    void shouldTakeTheCommitOfAResultWithoutDocumentsFromItsPage() throws IOException
    {
        write("result/README.md", "# A result\n\nThe rig is commit 7654321.\n\nMade at commit 1234567, with changes.\n");
        assertThat(ResultOrigin.of(dir.resolve("result")).commits()).containsExactly("1234567");
    }

    @Test
    void shouldTakeTheCommitsOfPartsWithoutDocumentsFromTheTablesOfItsPage() throws IOException
    {
        write("result/README.md", "| rows | made here | 123456a, 89abcde1 |\n| runs | too | 0123456789a |\n| rate | 1000000 |\n");
        write("result/runs/manifest.json", String.format(MANIFEST, "0123456789ab"));
        assertThat(ResultOrigin.of(dir.resolve("result")).commits()).containsExactly("0123456789ab", "123456a", "89abcde1");
    }

    @Test
    void shouldFindNoCommitWhereNoneIsRecorded() throws IOException
    {
        write("result/rows.csv", "p50\n");
        assertThat(ResultOrigin.of(dir.resolve("result")).commits()).isEmpty();
        write("result/README.md", "# A result\n");
        assertThat(ResultOrigin.of(dir.resolve("result")).commits()).isEmpty();
        write("result/manifest.json", String.format(MANIFEST, "unknown"));
        assertThat(ResultOrigin.of(dir.resolve("result")).commits()).noneMatch(
            (commit) -> ResultOrigin.COMMIT.matcher(commit).matches());
    }

    @Test
    void shouldDependOnTheCodeOfWhatWasMeasured() throws IOException
    {
        write("result/manifest.json", "{ \"configuration\": { \"transport\": \"cluster\" } }");
        assertThat(ResultOrigin.of(dir.resolve("result")).code())
            .contains("cluster-node/src/main", "load-client/src/main", "media/src/main", "platform/src/main")
            .doesNotContain("failover/src/main", "peers/src/main");
        write("result/failover.json", "{ \"format\": \"cluster-echo-failover/1\" }");
        assertThat(ResultOrigin.of(dir.resolve("result")).code())
            .contains("failover/src/main").doesNotContain("peers/src/main");

        write("suite/suite.json", "{ \"format\": \"cluster-echo-suite/1\" }");
        assertThat(ResultOrigin.of(dir.resolve("suite")).code())
            .contains("peers/src/main").doesNotContain("failover/src/main");
        write("udp/manifest.json", "{ \"configuration\": { \"transport\": \"aeron-udp\" } }");
        assertThat(ResultOrigin.of(dir.resolve("udp")).code()).contains("peers/src/main");
    }

    @Test
    void shouldWarnWhenTheCodeOfAResultHasChangedSince() throws Exception
    {
        final CheckoutHistory history = repository();
        final String first = commit(history, "media/src/main/A.java");
        write("result/manifest.json", String.format(MANIFEST, first + "-modified"));
        final String day = history.run("log", "-1", "--format=%cs");
        final String made = "result: made at " + first + "-modified (" + day + "), ";

        commit(history, "docs/README.md");
        assertThat(ResultOrigin.of(dir.resolve("result")).line(history))
            .isEqualTo(made + "no commit to the code it depends on since");
        commit(history, "media/src/main/A.java");
        assertThat(ResultOrigin.of(dir.resolve("result")).line(history))
            .isEqualTo("warning: " + made + "1 commit to the code it depends on since");
        commit(history, "failover/src/main/B.java");
        commit(history, "load-client/src/main/C.java");
        assertThat(ResultOrigin.of(dir.resolve("result")).line(history))
            .isEqualTo("warning: " + made + "2 commits to the code it depends on since");
        write("result/failover.json", "{ \"format\": \"cluster-echo-failover/1\" }");
        assertThat(ResultOrigin.of(dir.resolve("result")).line(history))
            .isEqualTo("warning: " + made + "3 commits to the code it depends on since");
    }

    @Test
    void shouldMissACommitThatIsUnknownOrOnAnotherBranch() throws Exception
    {
        final CheckoutHistory history = repository();
        final String first = commit(history, "one");
        history.run("checkout", "-q", "-b", "side");
        final String side = commit(history, "two");
        history.run("checkout", "-q", "-");
        write("result/1/manifest.json", String.format(MANIFEST, first));
        write("result/2/manifest.json", String.format(MANIFEST, side));
        write("result/3/manifest.json", String.format(MANIFEST, "0123456789ab"));
        assertThat(ResultOrigin.of(dir.resolve("result")).missing(history))
            .containsExactlyInAnyOrder(side, "0123456789ab");
    }

    @Test
    void shouldNotAnswerForAShallowCloneOrAnArchive() throws Exception
    {
        final CheckoutHistory history = repository();
        commit(history, "one");
        commit(history, "two");
        assertThat(history.gap()).isEmpty();

        final String address = dir.resolve("repository").toUri().toString();
        history.run("clone", "-q", "--depth", "1", address, dir.resolve("shallow").toString());
        assertThat(new CheckoutHistory(Need.HISTORY.program(), dir.resolve("shallow"), TIMEOUT).gap())
            .isEqualTo("the clone is shallow");
        final Path archive = Files.createDirectory(dir.resolve("archive"));
        assertThat(new CheckoutHistory(Need.HISTORY.program(), archive, TIMEOUT).gap())
            .isEqualTo("the sources have no .git, as in an archive");
        Files.writeString(archive.resolve(".git"), "gitdir: /nowhere\n");
        assertThat(new CheckoutHistory(Need.HISTORY.program(), archive, TIMEOUT).gap())
            .startsWith("git cannot read the checkout: fatal: ");
    }

    @Test
    void shouldReportAGitThatFailsOrDoesNotEnd() throws Exception
    {
        final CheckoutHistory history = repository();
        assertThatThrownBy(() -> history.date("0123456789ab")).isInstanceOf(IllegalStateException.class)
            .hasMessageStartingWith("git log -1 --format=%cs 0123456789ab ended with 128: fatal: ");

        final Path program = Files.createFile(dir.resolve("program"), PosixFilePermissions.asFileAttribute(
            PosixFilePermissions.fromString("rwxr-xr-x")));
        Files.writeString(program, "#!/bin/sh\nexec sleep 600\n");
        assertThatThrownBy(() -> new CheckoutHistory(program, dir, Duration.ofMillis(20)).contains("0123456789ab"))
            .isInstanceOf(IllegalStateException.class)
            .hasMessage("git merge-base --is-ancestor 0123456789ab HEAD did not end within 20 ms");
    }

    private CheckoutHistory repository() throws Exception
    {
        final CheckoutHistory history = new CheckoutHistory(
            Need.HISTORY.program(), Files.createDirectory(dir.resolve("repository")), TIMEOUT);
        history.run("init", "-q");
        return history;
    }

    /**
     * Commit a file that is new or longer than before.
     *
     * @return the commit, as results record it.
     */
    private String commit(final CheckoutHistory history, final String name) throws Exception
    {
        final Path file = dir.resolve("repository").resolve(name);
        write("repository/" + name, (Files.exists(file) ? Files.readString(file) : "") + "line\n");
        history.run("add", "--all");
        history.run(
            "-c", "user.name=test", "-c", "user.email=test@example.com", "-c", "commit.gpgsign=false",
            "commit", "-q", "-m", name);
        return history.run("rev-parse", "--short=12", "HEAD");
    }

    private void write(final String name, final String text) throws IOException
    {
        final Path file = dir.resolve(name);
        Files.createDirectories(file.getParent());
        Files.writeString(file, text);
    }
}

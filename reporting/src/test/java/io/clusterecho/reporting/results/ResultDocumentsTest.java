package io.clusterecho.reporting.results;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

import io.clusterecho.reporting.evidence.Disk;
import io.clusterecho.reporting.evidence.FullDisk;
import io.clusterecho.settings.InvalidSettingException;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ResultDocumentsTest
{
    private static final String FIRST = "manifest.json";
    private static final String SECOND = "summary.txt";
    private static final String NOT_WRITTEN = "the result is incomplete: summary.txt could not be written (";
    private static final RunEvidence GOOD = new SampleEvidence().evidence();

    @TempDir
    private Path path;

    @Test
    void shouldPutOneVerdictIntoAllDocuments()
    {
        final ResultDocuments documents = documents(Disk.FILE_SYSTEM);

        assertThat(documents.write(GOOD)).isEqualTo(Verdict.of(GOOD));

        assertThat(path.resolve(FIRST)).hasContent("GOOD []");
        assertThat(path.resolve(SECOND)).hasContent("GOOD []");
        assertThat(documents.text(FIRST)).isEqualTo("GOOD []");
        assertThat(documents.text(SECOND)).isEqualTo("GOOD []");
    }

    @Test
    void shouldJudgeByTheEvidence()
    {
        final SampleEvidence run = new SampleEvidence();
        run.corrupt = 3;

        assertThat(documents(Disk.FILE_SYSTEM).write(run.evidence())).isEqualTo(run.verdict());

        assertThat(path.resolve(FIRST)).hasContent("FAILED [3 corrupt replies]");
        assertThat(path.resolve(SECOND)).hasContent("FAILED [3 corrupt replies]");
    }

    @Test
    void shouldHaveNoTextBeforeItIsMade()
    {
        assertThat(documents(Disk.FILE_SYSTEM).text(FIRST)).isNull();
    }

    @Test
    void shouldFailTheResultInAllDocumentsWhenOneOfThemCannotBeWritten() throws IOException
    {
        occupy(SECOND);
        final ResultDocuments documents = documents(Disk.FILE_SYSTEM);

        final Verdict verdict = documents.write(GOOD);

        assertThat(verdict.reasons()).singleElement().asString().startsWith(NOT_WRITTEN);
        final String text = "FAILED " + verdict.reasons();
        assertThat(path.resolve(FIRST)).hasContent(text);
        assertThat(documents.text(FIRST)).isEqualTo(text);
        assertThat(documents.text(SECOND)).isEqualTo(text);
        assertThat(names()).containsExactly(FIRST, SECOND);
        assertThat(path.resolve(SECOND)).isDirectory();
    }

    @Test
    void shouldKeepNoDocumentWithAVerdictThatIsNotTrueAnyMoreOnAFullDisk() throws IOException
    {
        final ResultDocuments documents = documents(new FullDisk("GOOD []".length()));

        final Verdict verdict = documents.write(GOOD);

        assertThat(verdict.reasons()).containsExactly(NOT_WRITTEN + FullDisk.REASON + ")");
        assertThat(documents.text(FIRST)).isEqualTo("FAILED " + verdict.reasons());
        assertThat(documents.text(SECOND)).isEqualTo("FAILED " + verdict.reasons());
        assertThat(names()).isEmpty();
    }

    @Test
    void shouldDeleteADocumentToMakeRoomForItsNewVerdict() throws IOException
    {
        // A disk with space for one document only.
        final Disk disk = (file) ->
        {
            if (Files.exists(path.resolve(FIRST)))
            {
                throw new IOException(FullDisk.REASON);
            }
            return Disk.FILE_SYSTEM.open(file);
        };

        final Verdict verdict = documents(disk).write(GOOD);

        assertThat(verdict.reasons()).containsExactly(NOT_WRITTEN + FullDisk.REASON + ")");
        assertThat(path.resolve(FIRST)).hasContent("FAILED " + verdict.reasons());
        assertThat(names()).containsExactly(FIRST);
    }

    @Test
    void shouldNameEveryDocumentThatCannotBeWritten()
    {
        final ResultDocuments documents = documents(new FullDisk(0));

        assertThat(documents.write(GOOD).reasons()).containsExactly(
            "the result is incomplete: manifest.json could not be written (" + FullDisk.REASON + ")",
            NOT_WRITTEN + FullDisk.REASON + ")");
    }

    @Test
    void shouldKeepWhatWasThereBeforeButNoDocumentOfItsOwnThatIsNotTrueAnyMore() throws IOException
    {
        Files.writeString(path.resolve(FIRST), "RUNNING");
        Files.writeString(path.resolve(SECOND), "RUNNING");

        documents(new FullDisk("GOOD []".length())).write(GOOD);

        assertThat(names()).containsExactly(SECOND);
        assertThat(path.resolve(SECOND)).hasContent("RUNNING");
    }

    @Test
    void shouldFailTheResultWhenAFileCannotBeWritten()
    {
        final ResultDocuments documents = documents(Disk.FILE_SYSTEM);
        documents.addFile("stall.hgrm", () ->
        {
            throw new UncheckedIOException("cannot write stall.hgrm", new IOException(FullDisk.REASON));
        });

        final Verdict verdict = documents.write(GOOD);

        assertThat(verdict.reasons())
            .containsExactly("the result is incomplete: stall.hgrm could not be written (" + FullDisk.REASON + ")");
        assertThat(path.resolve(FIRST)).hasContent("FAILED " + verdict.reasons());
        assertThat(path.resolve(SECOND)).hasContent("FAILED " + verdict.reasons());
    }

    @Test
    void shouldNameTheFailureItselfWhereItHasNoCause()
    {
        final ResultDocuments documents = documents(Disk.FILE_SYSTEM);
        documents.addFile("stall.hgrm", () ->
        {
            throw new IllegalStateException("no histogram");
        });

        assertThat(documents.write(GOOD).reasons()).containsExactly(
            "the result is incomplete: stall.hgrm could not be written (java.lang.IllegalStateException: no histogram)");
    }

    @Test
    void shouldNameFilesAndDocumentsThatCannotBeWritten() throws IOException
    {
        occupy(SECOND);
        final ResultDocuments documents = documents(Disk.FILE_SYSTEM);
        documents.addFile("stall.hgrm", () ->
        {
            throw new IllegalStateException("no histogram");
        });

        final Verdict verdict = documents.write(GOOD);

        assertThat(verdict.reasons()).hasSize(2);
        assertThat(verdict.reasons().get(0)).contains("stall.hgrm");
        assertThat(verdict.reasons().get(1)).startsWith(NOT_WRITTEN);
        assertThat(path.resolve(FIRST)).hasContent("FAILED " + verdict.reasons());
    }

    @Test
    void shouldWriteFilesBeforeDocumentsAndEachOnce()
    {
        final List<String> made = new ArrayList<>();
        final ResultDocuments documents = new ResultDocuments(ResultFolder.at(path));
        documents.add(FIRST, (verdict) -> note(made, FIRST));
        documents.addFile("stall.hgrm", () -> note(made, "stall.hgrm"));
        documents.add(SECOND, (verdict) -> note(made, SECOND));

        documents.write(GOOD);

        assertThat(made).containsExactly("stall.hgrm", FIRST, SECOND);
    }

    @Test
    void shouldAddToTheProblemsOfTheEvidence() throws IOException
    {
        occupy(SECOND);
        final SampleEvidence run = new SampleEvidence();
        run.problems = List.of("a worker was lost");

        final Verdict verdict = documents(Disk.FILE_SYSTEM).write(run.evidence());

        assertThat(verdict.reasons()).hasSize(2).first().isEqualTo("a worker was lost");
    }

    @Test
    void shouldMakeAPageOfWhatWasWrittenAndFailTheResultWithoutIt() throws IOException
    {
        final ResultDocuments documents = documents(Disk.FILE_SYSTEM);
        documents.addPage("page.html", () ->
        {
            assertThat(path.resolve(FIRST)).hasContent("GOOD []");
            try
            {
                Files.writeString(path.resolve("page.html"), "<half");
            }
            catch (final IOException ex)
            {
                throw new UncheckedIOException(ex);
            }
            throw new InvalidSettingException("the page is too large");
        });

        final Verdict verdict = documents.write(GOOD);

        assertThat(verdict.reasons())
            .containsExactly("the result is incomplete: page.html could not be written (the page is too large)");
        assertThat(documents.problems()).isEqualTo(verdict.reasons());
        assertThat(path.resolve(FIRST)).hasContent("FAILED " + verdict.reasons());
        assertThat(path.resolve(SECOND)).hasContent("FAILED " + verdict.reasons());
        assertThat(names()).containsExactly(FIRST, SECOND);
    }

    @Test
    void shouldRatherKeepARecordThanItsVerdict() throws IOException
    {
        final ResultDocuments documents = new ResultDocuments(new ResultFolder(path, new FullDisk("GOOD []".length())));
        documents.addRecord(FIRST, (verdict) -> verdict.label() + " " + verdict.allReasons());
        documents.add(SECOND, (verdict) -> verdict.label() + " " + verdict.allReasons());

        final Verdict verdict = documents.write(GOOD);

        assertThat(verdict.reasons()).containsExactly(NOT_WRITTEN + FullDisk.REASON + ")");
        assertThat(documents.text(FIRST)).isEqualTo("FAILED " + verdict.reasons());
        assertThat(path.resolve(FIRST)).hasContent("GOOD []");
    }

    @Test
    void shouldForgetWhatAnEarlierCallCouldNotWrite()
    {
        final FullDisk disk = new FullDisk(0);
        final ResultDocuments documents = documents(disk);
        documents.write(GOOD);
        assertThat(documents.problems()).hasSize(2);
        disk.roomBytes(Long.MAX_VALUE);

        assertThat(documents.write(GOOD).isGood()).isTrue();
        assertThat(documents.problems()).isEmpty();
    }

    private ResultDocuments documents(final Disk disk)
    {
        final ResultDocuments documents = new ResultDocuments(new ResultFolder(path, disk));
        documents.add(FIRST, (verdict) -> verdict.label() + " " + verdict.allReasons());
        documents.add(SECOND, (verdict) -> verdict.label() + " " + verdict.allReasons());
        return documents;
    }

    /** Put a folder that cannot be deleted, because it is not empty, in place of a document. */
    private void occupy(final String name) throws IOException
    {
        Files.createDirectories(path.resolve(name).resolve("kept"));
    }

    private List<String> names() throws IOException
    {
        try (Stream<Path> files = Files.list(path))
        {
            return files.map((file) -> file.getFileName().toString()).sorted().toList();
        }
    }

    private static String note(final List<String> made, final String name)
    {
        made.add(name);
        return name;
    }
}

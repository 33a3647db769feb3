package io.clusterecho.reporting.report;

import static io.clusterecho.text.Lines.line;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.function.BiFunction;
import java.util.function.Function;

import io.clusterecho.reporting.document.Documents;
import io.clusterecho.reporting.results.DocumentKind;
import io.clusterecho.reporting.results.FileNames;
import io.clusterecho.reporting.results.ResultDocuments;
import io.clusterecho.reporting.results.ResultFolder;
import io.clusterecho.reporting.results.RunDescription;
import io.clusterecho.reporting.results.Verdict;

import org.HdrHistogram.Histogram;

/**
 * A result that is one document with its histograms, and how it is judged, stored and printed.
 *
 * @param title     of the text for a person.
 * @param judge     makes the verdict, given what could not be written.
 * @param document  makes the record that is its document, given the verdict and the folder of the result.
 * @param times     in ns, by the names of the files for their percentiles.
 * @param body      of that text.
 * @param hasPage   whether there are charts of it.
 */
public record DocumentedResult(
    DocumentKind kind,
    RunDescription description,
    String title,
    Function<List<String>, Verdict> judge,
    BiFunction<Verdict, String, Object> document,
    Map<String, Histogram> times,
    String body,
    boolean hasPage)
{
    /**
     * What was stored, with its text for a person.
     *
     * @param unwritten what could not be written: a sentence each, also reasons of the verdict.
     */
    public record Ended(Verdict verdict, String json, String text, List<String> unwritten)
    {
    }

    /**
     * Judge it and write its files.
     *
     * @param isTextKept whether the text for a person is one of them.
     */
    public Ended write(final ResultFolder folder, final boolean isTextKept)
    {
        final ResultDocuments documents = new ResultDocuments(folder);
        times.forEach((name, histogram) -> documents.addFile(name, () -> ResultFolder.percentiles(histogram)));
        documents.add(
            kind.fileName(), (verdict) -> Documents.text(document.apply(verdict, folder.path().toString())));
        if (isTextKept)
        {
            documents.add(kind.word() + ".txt", (verdict) -> text(verdict, folder.path()));
        }
        if (hasPage)
        {
            ReportPage.addTo(documents);
        }
        final Verdict verdict = documents.write(judge);
        return new Ended(verdict, documents.text(kind.fileName()), text(verdict, folder.path()), documents.problems());
    }

    /** Its text for a person. */
    public String text(final Verdict verdict, final Path folder)
    {
        final StringBuilder text = new StringBuilder(verdict.heading(title));
        text.append(body);
        if (null != description.calibration())
        {
            line(text, "calibrated %s", description.calibration().text());
        }
        line(text, "results in %s%s", folder, hasPage ? ", with charts in " + FileNames.PAGE : "");
        return text.toString();
    }
}

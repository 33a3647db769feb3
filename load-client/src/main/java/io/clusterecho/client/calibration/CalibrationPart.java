package io.clusterecho.client.calibration;

import static io.clusterecho.text.Lines.line;

import java.util.List;
import java.util.function.BiFunction;
import java.util.function.Function;

import io.clusterecho.reporting.results.DocumentKind;
import io.clusterecho.reporting.results.RunDescription;
import io.clusterecho.reporting.results.Verdict;

import org.HdrHistogram.Histogram;

/**
 * What a calibration measured of the client or of the machine. Each part has a verdict and a document of its own.
 *
 * @param kind     of its document, after which its text is named too.
 * @param judge    makes the verdict, given what could not be written.
 * @param document makes the record that is its document, given the verdict and the folder of the result.
 */
public record CalibrationPart(
    DocumentKind kind,
    RunDescription description,
    Function<List<String>, Verdict> judge,
    BiFunction<Verdict, String, Object> document,
    List<Distribution> distributions,
    String body,
    boolean isPaged)
{
    /** The text for a person. */
    public String text(final Verdict verdict, final String place)
    {
        final StringBuilder text = new StringBuilder(1024);
        line(text, "%s  %s", verdict.label(), description.label());
        verdict.allReasons().forEach((reason) -> line(text, "  ! %s", reason));
        verdict.warnings().forEach((warning) -> line(text, "  ~ %s", warning));
        line(text, "");
        text.append(body);
        if (null != description.calibration())
        {
            line(text, "calibrated %s", description.calibration().text());
        }
        line(text, "results in %s", place);
        return text.toString();
    }

    /** Measured times in ns, with their name in the text, and that of the file for their percentiles. */
    public record Distribution(String label, String fileName, Histogram times)
    {
    }
}

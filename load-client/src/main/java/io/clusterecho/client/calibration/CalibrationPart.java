package io.clusterecho.client.calibration;

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
    /** Measured times in ns, with their name in the text, and that of the file for their percentiles. */
    public record Distribution(String label, String fileName, Histogram times)
    {
    }
}

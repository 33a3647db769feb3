package io.clusterecho.reporting.document;

import java.util.List;

import com.fasterxml.jackson.annotation.JsonInclude;

import io.clusterecho.reporting.results.Reason;
import io.clusterecho.reporting.results.Verdict;

/**
 * A verdict in a document.
 *
 * @param label    GOOD, CLIENT-LIMITED (valid, but not about the cluster), PARTIAL or FAILED.
 * @param reasons  why it is not good, a sentence each.
 * @param warnings that a reader should know even of a good result.
 * @param kinds    of the reasons, each a {@link Reason#key()}; null in results of earlier versions.
 */
public record StoredVerdict(
    Boolean good, String label, Boolean partial, List<String> reasons, List<String> warnings,
    @JsonInclude(JsonInclude.Include.NON_EMPTY) List<String> kinds)
{
    /** A verdict that is not made from reasons of a run. */
    public StoredVerdict(
        final Boolean good, final String label, final Boolean partial, final List<String> reasons, final List<String> warnings)
    {
        this(good, label, partial, reasons, warnings, null);
    }

    public static StoredVerdict of(final Verdict verdict)
    {
        return new StoredVerdict(
            verdict.isGood(), verdict.label(), verdict.isPartial(), verdict.allReasons(), verdict.warnings(),
            verdict.all().stream().map(Reason::key).toList());
    }
}

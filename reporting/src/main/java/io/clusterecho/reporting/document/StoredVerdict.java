package io.clusterecho.reporting.document;

import java.util.List;

import io.clusterecho.reporting.results.Verdict;

/**
 * A verdict in a document.
 *
 * @param label    GOOD, CLIENT-LIMITED (valid, but not about the cluster), PARTIAL or FAILED.
 * @param reasons  why it is not good, a sentence each.
 * @param warnings that a reader should know even of a good result.
 */
public record StoredVerdict(Boolean good, String label, Boolean partial, List<String> reasons, List<String> warnings)
{
    public static StoredVerdict of(final Verdict verdict)
    {
        return new StoredVerdict(
            verdict.isGood(), verdict.label(), verdict.isPartial(), verdict.allReasons(), verdict.warnings());
    }
}

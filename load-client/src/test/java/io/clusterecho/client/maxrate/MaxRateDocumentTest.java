package io.clusterecho.client.maxrate;

import java.io.IOException;
import java.util.List;

import io.clusterecho.reporting.document.Documents;
import io.clusterecho.testing.GoldenFile;

import org.junit.jupiter.api.Test;

/** The document of a search stays as it was published. */
class MaxRateDocumentTest
{
    private static final double KNEE = 55_000;

    @Test
    void shouldHoldAllThatASearchCanHave() throws IOException
    {
        final MaxRate found = new SampleSearch(0.1, 900_000, 5_000_000).found(KNEE, Integer.MAX_VALUE);
        check(found, "max-rate.json");
    }

    @Test
    void shouldNotHoldWhatIsNotKnownYet() throws IOException
    {
        check(new SampleSearch(0.1, 0, 5_000_000).found(10, 1), "max-rate-begun.json");
    }

    private void check(final MaxRate found, final String name) throws IOException
    {
        GoldenFile.checkDocument(
            getClass(), name, Documents.text(found.document(found.verdict(List.of()), "results/sample")));
    }
}

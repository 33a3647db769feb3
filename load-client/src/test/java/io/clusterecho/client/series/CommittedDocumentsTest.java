package io.clusterecho.client.series;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;

import io.clusterecho.client.baseline.BaselineDocument;
import io.clusterecho.client.maxrate.MaxRateDocument;
import io.clusterecho.client.sweep.SweepDocument;
import io.clusterecho.reporting.document.CommittedDocuments;
import io.clusterecho.reporting.results.DocumentKind;

import org.junit.jupiter.api.Test;

class CommittedDocumentsTest
{
    @Test
    void shouldHoldEveryCommittedBaseline() throws IOException
    {
        assertThat(CommittedDocuments.checkAll(DocumentKind.BASELINE.format(), BaselineDocument.class)).isPositive();
    }

    @Test
    void shouldHoldEveryCommittedSearch() throws IOException
    {
        assertThat(CommittedDocuments.checkAll(DocumentKind.MAX_RATE.format(), MaxRateDocument.class)).isGreaterThan(1);
    }

    @Test
    void shouldHoldEveryCommittedSweep() throws IOException
    {
        assertThat(CommittedDocuments.checkAll(DocumentKind.SWEEP.format(), SweepDocument.class)).isGreaterThan(5);
    }
}

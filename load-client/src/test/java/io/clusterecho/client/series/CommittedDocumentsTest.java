package io.clusterecho.client.series;

import java.io.IOException;

import io.clusterecho.client.calibration.Baseline;
import io.clusterecho.client.maxrate.MaxRate;
import io.clusterecho.client.sweep.SweepDocument;
import io.clusterecho.reporting.document.CommittedDocuments;
import io.clusterecho.reporting.results.DocumentKind;

import org.junit.jupiter.api.Test;

class CommittedDocumentsTest
{
    @Test
    void shouldHoldEveryCommittedBaseline() throws IOException
    {
        CommittedDocuments.checkAll(DocumentKind.BASELINE.format(), Baseline.class);
    }

    @Test
    void shouldHoldEveryCommittedSearch() throws IOException
    {
        CommittedDocuments.checkAll(DocumentKind.MAX_RATE.format(), MaxRate.Document.class);
    }

    @Test
    void shouldHoldEveryCommittedSweep() throws IOException
    {
        CommittedDocuments.checkAll(DocumentKind.SWEEP.format(), SweepDocument.class);
    }
}

package io.clusterecho.peers.workload;

import java.io.IOException;

import io.clusterecho.reporting.document.CommittedDocuments;
import io.clusterecho.reporting.results.DocumentKind;

import org.junit.jupiter.api.Test;

class CommittedWorkloadsTest
{
    @Test
    void shouldParseEveryCommittedSuiteAndWorkload() throws IOException
    {
        CommittedDocuments.checkAll(DocumentKind.SUITE.format(), SuiteDocument.class);
        CommittedDocuments.checkAll(OneWayDocument.FORMAT, OneWayDocument.class);
        CommittedDocuments.checkAll(PriceStreamDocument.FORMAT, PriceStreamDocument.class);
    }
}

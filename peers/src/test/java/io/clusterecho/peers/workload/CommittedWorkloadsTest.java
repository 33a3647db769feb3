package io.clusterecho.peers.workload;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;

import io.clusterecho.reporting.document.CommittedDocuments;
import io.clusterecho.reporting.results.DocumentKind;

import org.junit.jupiter.api.Test;

class CommittedWorkloadsTest
{
    @Test
    void shouldParseEveryCommittedSuiteAndWorkload() throws IOException
    {
        assertThat(CommittedDocuments.checkAll(DocumentKind.SUITE.format(), SuiteDocument.class)).isPositive();
        assertThat(CommittedDocuments.checkAll(OneWayDocument.FORMAT, OneWayDocument.class)).isPositive();
        assertThat(CommittedDocuments.checkAll(PriceStreamDocument.FORMAT, PriceStreamDocument.class)).isPositive();
    }
}

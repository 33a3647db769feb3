package io.clusterecho.reporting.document;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;

import io.clusterecho.reporting.results.DocumentKind;

import org.junit.jupiter.api.Test;

class CommittedDocumentsTest
{
    @Test
    void shouldHoldEveryCommittedManifest() throws IOException
    {
        assertThat(CommittedDocuments.checkAll(DocumentKind.RUN.format(), RunDocument.class)).isGreaterThan(200);
    }

    @Test
    void shouldHoldEveryCommittedFailoverTest() throws IOException
    {
        assertThat(CommittedDocuments.checkAll(DocumentKind.FAILOVER.format(), FailoverDocument.class)).isGreaterThan(20);
    }
}

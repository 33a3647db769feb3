package io.clusterecho.reporting.document;

import java.io.IOException;

import io.clusterecho.reporting.results.DocumentKind;

import org.junit.jupiter.api.Test;

class CommittedDocumentsTest
{
    @Test
    void shouldHaveTheFormatsOfTheirNames() throws IOException
    {
        CommittedDocuments.checkFormats();
    }

    @Test
    void shouldHoldEveryCommittedManifest() throws IOException
    {
        CommittedDocuments.checkAll(DocumentKind.RUN.format(), RunDocument.class);
    }

    @Test
    void shouldHoldEveryCommittedFailoverTest() throws IOException
    {
        CommittedDocuments.checkAll(DocumentKind.FAILOVER.format(), FailoverDocument.class);
    }
}

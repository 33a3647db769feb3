package io.clusterecho.failover.audit;

import java.io.IOException;

import io.clusterecho.reporting.document.CommittedDocuments;
import io.clusterecho.reporting.results.DocumentKind;

import org.junit.jupiter.api.Test;

class CommittedAuditsTest
{
    @Test
    void shouldParseEveryCommittedAudit() throws IOException
    {
        CommittedDocuments.checkAll(DocumentKind.AUDIT.format(), AuditReport.class);
    }
}

package io.clusterecho.failover.audit;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;

import io.clusterecho.reporting.document.CommittedDocuments;
import io.clusterecho.reporting.results.DocumentKind;

import org.junit.jupiter.api.Test;

class CommittedAuditsTest
{
    @Test
    void shouldParseEveryCommittedAudit() throws IOException
    {
        assertThat(CommittedDocuments.checkAll(DocumentKind.AUDIT.format(), AuditDocument.class)).isGreaterThan(20);
    }
}

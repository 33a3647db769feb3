package io.clusterecho.client.pingpong;

import java.io.IOException;

import io.clusterecho.reporting.document.CommittedDocuments;
import io.clusterecho.reporting.results.DocumentKind;

import org.junit.jupiter.api.Test;

class CommittedLoopsTest
{
    @Test
    void shouldHoldEveryCommittedClosedLoop() throws IOException
    {
        CommittedDocuments.checkAll(DocumentKind.PING_PONG.format(), PingPongExecution.Document.class);
    }
}

package io.clusterecho.client.pingpong;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;

import io.clusterecho.reporting.document.CommittedDocuments;
import io.clusterecho.reporting.results.DocumentKind;

import org.junit.jupiter.api.Test;

class CommittedLoopsTest
{
    @Test
    void shouldHoldEveryCommittedClosedLoop() throws IOException
    {
        assertThat(CommittedDocuments.checkAll(DocumentKind.PING_PONG.format(), PingPongDocument.class)).isGreaterThan(70);
    }
}

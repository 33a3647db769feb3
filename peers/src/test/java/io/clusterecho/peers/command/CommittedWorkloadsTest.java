package io.clusterecho.peers.command;

import java.io.IOException;

import com.fasterxml.jackson.annotation.JsonUnwrapped;

import io.clusterecho.reporting.document.CommittedDocuments;

import org.junit.jupiter.api.Test;

class CommittedWorkloadsTest
{
    @Test
    void shouldParseEveryCommittedWorkload() throws IOException
    {
        CommittedDocuments.checkAll(OneWay.FORMAT, OneWayDocument.class);
        CommittedDocuments.checkAll(PriceStream.FORMAT, PriceStreamDocument.class);
    }

    record OneWayDocument(@JsonUnwrapped WorkloadCommand.Head head, @JsonUnwrapped OneWay.Figures figures)
    {
    }

    record PriceStreamDocument(@JsonUnwrapped WorkloadCommand.Head head, @JsonUnwrapped PriceStream.Figures figures)
    {
    }
}

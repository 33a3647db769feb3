package io.clusterecho.failover.lab;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;

import com.fasterxml.jackson.databind.JsonNode;

import io.clusterecho.client.run.SampleConfig;
import io.clusterecho.reporting.document.Documents;
import io.clusterecho.reporting.results.DocumentKind;
import io.clusterecho.reporting.results.ResultFolder;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FailoverRecordTest
{
    private static final long S = 1_000_000_000L;

    @TempDir
    private Path parent;

    @Test
    void shouldKeepTheLifeSoFarWithTheCycles() throws IOException
    {
        final LifePlan plan =
            new LifePlan(400 * S, 50 * S, 4L << 30, new RolloutPlan(RolloutTest.OLD, RolloutTest.NEW, 3, false));
        final ResultFolder folder = ResultFolder.create(parent, "life", Instant.EPOCH);
        final FailoverRecord record = new FailoverRecord(
            folder, SampleConfig.of("cluster", parent), FailoverPlan.of(plan, 1, 0, 0), SampleFailover.BOUNDS);

        record.lived(new LifeResult(
            plan, List.of(new LifeResult.Purge(5, 7, "")), List.of(new LifeResult.DiskSample(3, List.of(1L, 2L, 3L), 4)), 10));
        record.keep(List.of());

        final JsonNode life =
            Documents.parse(Files.readString(folder.path().resolve(DocumentKind.FAILOVER.fileName()))).get("life");
        assertThat(life.get("diskMostBytes").asLong()).isEqualTo(10);
        assertThat(life.get("purges")).hasSize(1);
        assertThat(life.get("disk")).hasSize(1);
    }
}

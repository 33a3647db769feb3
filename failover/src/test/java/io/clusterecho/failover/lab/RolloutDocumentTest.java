package io.clusterecho.failover.lab;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

import com.fasterxml.jackson.databind.JsonNode;

import io.clusterecho.reporting.document.Documents;
import io.clusterecho.reporting.document.FailoverDocument;
import io.clusterecho.reporting.results.Cycle;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RolloutDocumentTest
{
    private static final FailoverDocument.Version OLD = RolloutTest.stored(RolloutTest.OLD);
    private static final FailoverDocument.Version NEW = RolloutTest.stored(RolloutTest.NEW);

    @TempDir
    private Path folder;

    private FailoverResult result;

    @BeforeEach
    void makeResult() throws IOException
    {
        final FailoverResult sample = SampleFailover.result(folder, 3, "");
        result = new FailoverResult(
            sample.cycles(), sample.timelines(), sample.outcome(), true, false, sample.audit(), sample.bounds(),
            new FailoverDocument.Rollout(
            OLD, NEW, true, 6, sample.cycles().stream().mapToLong(Cycle::outageNs).sum(), List.of(
            new FailoverDocument.Step(1, 1, false, OLD, NEW, NEW, 5_000_000L),
            new FailoverDocument.Step(2, 2, false, OLD, NEW, null, null),
            new FailoverDocument.Step(3, 0, true, OLD, NEW, NEW, 7_000_000L))));
    }

    @Test
    void shouldWriteTheVersionsAndStepsAndTheSumOfTheOutages()
    {
        final JsonNode rollout = document(result).get("rollout");

        assertThat(rollout.at("/from/version").asText()).isEqualTo("1.0");
        assertThat(rollout.at("/to")).hasToString("{\"version\":\"2.0\",\"commit\":\"c0ffee\",\"aeron\":\"1.51.0\"}");
        assertThat(rollout.get("andBack").asBoolean()).isTrue();
        assertThat(rollout.get("stepCount").asInt()).isEqualTo(6);
        assertThat(rollout.get("outageNs").asLong())
            .isEqualTo(result.cycles().stream().mapToLong(Cycle::outageNs).sum()).isPositive();
        assertThat(rollout.at("/steps/0/snapshotLoadNs").asLong()).isEqualTo(5_000_000);
        assertThat(rollout.at("/steps/1/snapshotLoadNs").isNull()).isTrue();
        assertThat(rollout.at("/steps/1/running").isNull()).isTrue();
        assertThat(rollout.at("/steps/2/leader").asBoolean()).isTrue();
        assertThat(rollout.at("/steps/2/before/version").asText()).isEqualTo("1.0");
    }

    @Test
    void shouldLeaveItOutOfOtherTests() throws IOException
    {
        assertThat(document(SampleFailover.result(folder.resolve("other"), 1, "")).has("rollout")).isFalse();
    }

    @Test
    void shouldPrintARowForEachStep()
    {
        // The sample has unanswered messages.
        final String text = FailoverText.text(result, SampleFailover.verdict(result), "out");

        assertThat(text).startsWith("FAILED  rollout, 3 of 6 steps, exactly-once\n").contains(
            "from 1.0 (commit c0ffee) with Aeron 1.51.0\nto   2.0 (commit c0ffee) with Aeron 1.51.0, and back\n",
            "total of the outages: 1.35 s in 3 of 6 steps");
        assertThat(text.lines().filter((line) -> line.matches(" +[123] +[012] +(leader|follower) .*")))
            .hasSize(3).first().asString().contains("follower", "2.0", "1.51.0", "450 ms", "5.00 ms");
    }

    private static JsonNode document(final FailoverResult of)
    {
        return Documents.parse(Documents.text(of.document(SampleFailover.verdict(of), "java -jar x.jar", "out")));
    }
}

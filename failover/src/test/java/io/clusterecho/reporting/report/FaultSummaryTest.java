package io.clusterecho.reporting.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;

import io.clusterecho.failover.lab.SampleFailover;
import io.clusterecho.reporting.document.Documents;
import io.clusterecho.settings.InvalidSettingException;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FaultSummaryTest
{
    private static final Path RESULTS = Path.of("..", "results");
    private static final Path COMMITTED = RESULTS.resolve("FAULTS.md");
    private static final long NS_PER_MS = 1_000_000;

    @TempDir
    private Path parent;

    /** If this fails: {@code bin/load-client report --faults results/reference-* --output results/FAULTS.md}. */
    @Test
    void shouldBeThatOfTheCommittedResults() throws IOException
    {
        final List<Path> folders;
        try (Stream<Path> all = Files.list(RESULTS))
        {
            folders = all.filter((path) -> path.getFileName().toString().startsWith("reference-")).sorted().toList();
        }
        // Of a folder without failover tests there is nothing to say.
        assertThat(FaultSummary.markdown(folders)).isEqualTo(Files.readString(COMMITTED));
    }

    @Test
    void shouldSumOutagesByKindAndLossesByTest() throws IOException
    {
        final ObjectNode one = sample("one");
        cycle(one, "link-loss:5%", "the leader stays", 2_000, 1, null);
        cycle(one, "link-loss:30%", "the leader stays", 2_000, 2_005, null);
        cycle(one, "link-loss:30%", "the leader stays", 2_000, 2_015, null);
        cycle(one, "link-loss:30%", "the leader stays", 2_000, 9_000, null).put("valid", false);
        cycle(one, "kill", "one election", 3_000, 100, "pause");
        write("one", one.put("acknowledged", 100).put("acknowledgedLost", 7).put("appliedTwice", 2));
        final ObjectNode two = sample("two");
        cycle(two, "kill", "one election", 3_000, 50, null);
        final ObjectNode notInjected = cycle(two, "kill", "one election", 3_000, 60, "pause");
        ((ObjectNode)notInjected.get("second")).putNull("injectedNs");
        cycle(two, "kill", null, null, 70, null);
        write("two", two.put("acknowledged", 1_000).put("acknowledgedLost", 0).put("appliedTwice", 0));
        ((ObjectNode)two.get("audit")).put("clean", false);
        write("two", two);

        final String text = FaultSummary.markdown(List.of(parent));

        final String name = parent.getFileName().toString();
        assertThat(text)
            .contains("\n9 faults of 3 kinds in 8 cycles of 2 tests: 1,100 messages acknowledged, 7 of them lost,\n2 applied " +
                "twice; 1 audits clean.\n")
            .contains("\n| kill | not stated | 1 | 70.0 ms | 70.0 ms | 70.0 ms | - |\n")
            .contains("\n| kill | one election | 2 | 50.0 ms | 50.0 ms | 60.0 ms | 0 |\n")
            .contains("\n| kill, and another | one election | 1 | 100 ms | 100 ms | 100 ms | 0 |\n")
            .contains("\n| link-loss | the leader stays | 3 | 1.00 ms | 2.01 s | 2.02 s | 1 |\n")
            .contains("\n| kill | fsync 0 | 4 | 2 | 1,100 | 7 | 2 | 1 |\n")
            .contains("\n| link-loss | fsync 0 | 4 | 1 | 100 | 7 | 2 | 1 |\n")
            .contains("\n| pause | fsync 0 | 1 | 1 | 100 | 7 | 2 | 1 |\n")
            .contains("\n| all | | 9 | 2 | 1,100 | 7 | 2 | 1 |\n")
            .contains("\n| " + name + "/one | fsync 0 | at-most-once | 6 | 100 | 7 | 2 | clean | GOOD |\n")
            .contains("\n| " + name + "/two | fsync 0 | at-most-once | 3 | 1,000 | 0 | 0 | not clean | GOOD |\n")
            .doesNotContain("Left out");
    }

    @Test
    void shouldLeaveOutWhatIsSupersededAndSayHowMuch() throws IOException
    {
        SampleFailover.write(SampleResult.write(parent.resolve("good"), "good", "GOOD"), 2, "");
        SampleFailover.write(SampleResult.write(parent.resolve("old"), "old", "GOOD"), 3, "");
        Files.writeString(parent.resolve("old").resolve("SUPERSEDED.md"), "Superseded by `good`.");

        assertThat(FaultSummary.markdown(List.of(parent))).contains("\n2 faults of 1 kinds in 2 cycles of 1 tests")
            .contains("\nLeft out: 3 faults of 1 superseded tests.\n").doesNotContain("/old");
    }

    @Test
    void shouldRefuseFoldersWithoutAFailoverTestAndDamagedOnes() throws IOException
    {
        assertThatThrownBy(() -> FaultSummary.markdown(List.of(parent))).isInstanceOf(InvalidSettingException.class)
            .hasMessage("no failover test in " + parent + ": no folder in it has a failover.json that is not superseded");
        assertThatThrownBy(() -> FaultSummary.markdown(List.of(parent.resolve("none"))))
            .isInstanceOf(InvalidSettingException.class).hasMessageContaining("none cannot be read: ");

        SampleFailover.write(SampleResult.write(parent.resolve("good"), "good", "GOOD"), 2, "");
        Files.writeString(parent.resolve("good").resolve("failover.json"), "{}");
        assertThatThrownBy(() -> FaultSummary.markdown(List.of(parent))).isInstanceOf(InvalidSettingException.class)
            .hasMessageContaining("failover.json cannot be read: ");
    }

    private ObjectNode sample(final String name) throws IOException
    {
        final Path folder = SampleResult.write(parent.resolve(name), name, "GOOD");
        SampleFailover.write(folder, 1, "");
        final ObjectNode document = (ObjectNode)Documents.parse(Files.readString(folder.resolve("failover.json")));
        final ObjectNode cycle = (ObjectNode)document.get("cycles").get(0);
        document.putArray("cycles");
        document.set("sample", cycle);
        return document;
    }

    private static ObjectNode cycle(
        final ObjectNode document,
        final String fault,
        final String expectation,
        final Integer expectedMs,
        final long outageMs,
        final String second)
    {
        final ObjectNode cycle = document.get("sample").deepCopy();
        cycle.put("fault", fault).put("expectation", expectation).put("outageNs", outageMs * NS_PER_MS)
            .put("expectedOutageNs", null == expectedMs ? null : expectedMs * NS_PER_MS)
            .put("outageResolutionNs", 10 * NS_PER_MS);
        if (null != second)
        {
            cycle.putObject("second").put("fault", second).put("choice", "leader").put("pick", 1).put("afterNs", 5)
                .put("injectedNs", 6).putArray("victim").add(1);
        }
        ((ArrayNode)document.get("cycles")).add(cycle);
        return cycle;
    }

    private void write(final String name, final ObjectNode document) throws IOException
    {
        document.remove("sample");
        Files.writeString(parent.resolve(name).resolve("failover.json"), document.toString());
    }
}

package io.clusterecho.system;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import java.util.zip.ZipOutputStream;

import com.fasterxml.jackson.databind.JsonNode;

import io.clusterecho.control.member.ClusterMember;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** Another version on all members under load, from the jar of the build to a copy of it that says another version. */
@Tag("slow")
class RolloutIT
{
    private static final Path BUILT = EchoCluster.ROOT.resolve("cluster-node.jar");
    private static final String FACTS = "cluster-echo-build.properties";
    private static final String NEEDED = "io/clusterecho/node/member/MemberProcess.class";

    @RegisterExtension
    private final EchoCluster cluster = new EchoCluster(3);

    @TempDir
    private Path folder;

    @Test
    void shouldReplaceAllMembersUnderLoadAndReturnWithoutALoss() throws IOException
    {
        cluster.start();

        final JsonNode result = rollOut(copy("99.1", ""), "--and-back");

        assertThat(result.at("/rollout/steps")).as("%s", result).hasSize(6);
        for (int step = 0; step < 6; step++)
        {
            final JsonNode one = result.at("/rollout/steps/" + step);
            assertThat(one.get("leader").asBoolean()).as("%s", one).isEqualTo(2 == step % 3);
            assertThat(one.at("/running/version").asText().equals("99.1")).as("%s", one).isEqualTo(step < 3);
            assertThat(one.get("snapshotLoadNs").asLong()).as("a snapshot of the version before was read").isPositive();
            assertThat(result.at("/cycles/" + step + "/recovered").asBoolean()).isTrue();
        }
        assertThat(result.get("acknowledged").asLong()).isPositive();
        assertThat(result.get("acknowledgedLost").asLong()).isZero();
        assertThat(result.get("appliedTwice").asLong()).isZero();
        assertThat(result.get("unanswered").asLong()).isZero();
        assertThat(result.at("/audit/clean").asBoolean()).as("%s", result.at("/audit/findings")).isTrue();
        assertThat(result.at("/rollout/outageNs").asLong()).isPositive();
        assertThat(cluster.members()).allMatch(ClusterMember::isAlive);
    }

    @Test
    void shouldStopAtAVersionThatDoesNotStartAndLeaveAMajorityServing() throws IOException
    {
        cluster.start();

        final JsonNode result = rollOut(copy("99.2", NEEDED));

        assertThat(result.at("/verdict/label").asText()).isEqualTo("FAILED");
        assertThat(result.at("/rollout/steps")).hasSize(1);
        final int memberId = result.at("/rollout/steps/0/memberId").asInt();
        assertThat(result.at("/verdict/reasons").toString())
            .contains("the rollout stopped at step 1 of 3: member " + memberId + " ended with status 1")
            .contains("2 of 3 members serve; to go back, start member " + memberId + " from " + BUILT + " again");
        assertThat(result.get("acknowledgedLost").asLong()).isZero();
        assertThat(result.get("unanswered").asLong()).isZero();
        assertThat(cluster.members().get(memberId).isAlive()).isFalse();

        assertThat(cluster.start()).extracting(ClusterMember::memberId).containsExactly(memberId);
        cluster.awaitEchoes();
    }

    private JsonNode rollOut(final Path jar, final String... options)
    {
        final List<String> all = new ArrayList<>(List.of(
            "rollout", "--from=" + BUILT, "--to=" + jar, "--rate=300", "--warm-up=0s", "--gap=500ms", "--limit=60s",
            "--connect-timeout=60s", "--drain-timeout=60s", "--delivery=exactly-once", "--json", "--output=" + folder));
        all.addAll(List.of(options));
        final CommandResult result = cluster.loadClient(all.toArray(String[]::new));
        assertThat(result.out()).as("%s", result).isNotEmpty();
        return result.json();
    }

    /**
     * A copy of the jar of the build.
     *
     * @param version that it says it has.
     * @param without entry that it lacks.
     */
    private Path copy(final String version, final String without) throws IOException
    {
        final Path copy = folder.resolve("cluster-node-" + version + ".jar");
        try (ZipFile built = new ZipFile(BUILT.toFile()); ZipOutputStream out = new ZipOutputStream(Files.newOutputStream(copy)))
        {
            for (final ZipEntry entry : (Iterable<ZipEntry>)built.stream().map(ZipEntry.class::cast)::iterator)
            {
                if (entry.getName().equals(without))
                {
                    continue;
                }
                out.putNextEntry(new ZipEntry(entry.getName()));
                try (InputStream in = built.getInputStream(entry))
                {
                    final byte[] bytes = in.readAllBytes();
                    out.write(!FACTS.equals(entry.getName()) ? bytes : new String(bytes, StandardCharsets.ISO_8859_1)
                        .replaceFirst("cluster-echo=.*", "cluster-echo=" + version).getBytes(StandardCharsets.ISO_8859_1));
                }
            }
        }
        return copy;
    }
}

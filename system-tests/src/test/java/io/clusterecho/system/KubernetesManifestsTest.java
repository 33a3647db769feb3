package io.clusterecho.system;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import io.clusterecho.node.config.MemberEndpoints;
import io.clusterecho.node.config.NodeConfig;
import io.clusterecho.node.config.NodeSettings;
import io.clusterecho.node.member.RoomNeeded;
import io.clusterecho.settings.Settings;

/** The manifests of Kubernetes, compared with the members' settings; {@link KubernetesIT} runs them. */
class KubernetesManifestsTest
{
    private static final String NAME = "cluster-echo";

    @TempDir
    private Path folder;

    @Test
    void shouldNameEveryMemberAndItsPorts() throws Exception
    {
        final Manifests manifests = Manifests.of("members");
        final JsonNode set = manifests.object("StatefulSet", NAME);
        final NodeConfig config = config(manifests);

        assertThat(config.members()).hasSize(set.at("/spec/replicas").asInt());
        assertThat(config.members()).allSatisfy((member) -> assertThat(member.host())
            .isEqualTo(NAME + "-" + member.memberId() + "." + set.at("/spec/serviceName").asText()));
        for (final JsonNode ports : List.of(
            manifests.object("Service", NAME).at("/spec/ports"), container(manifests).get("ports")))
        {
            final List<String> named = StreamSupport.stream(ports.spliterator(), false).map((port) ->
                port.get("name").asText() + " " + config.endpoints().host() + ":" +
                port.path("port").asText(port.path("containerPort").asText())).toList();
            assertThat(named).isEqualTo(config.endpoints().named());
            assertThat(ports).allSatisfy((port) -> assertThat(port.get("protocol").asText()).isEqualTo("UDP"));
        }
    }

    @ParameterizedTest
    @CsvSource({ "client, Job, cluster-echo-client", "nightly, CronJob, cluster-echo-nightly" })
    void shouldGiveClientsTheEndpointsOfAllMembers(final String kustomization, final String kind, final String name)
        throws Exception
    {
        final JsonNode client = Manifests.of(kustomization).template(kind, name).at("/spec/containers/0");

        assertThat(client.get("args")).extracting(JsonNode::asText).contains(
            "--endpoints=" + MemberEndpoints.ingressEndpoints(config(Manifests.of("members")).members()));
    }

    @Test
    void shouldGiveMembersTheSharedMemoryThatTheyNeed() throws Exception
    {
        final Manifests manifests = Manifests.of("members");
        final RoomNeeded need = new RoomNeeded(config(manifests));

        final long size = bytes(volume(manifests.template("StatefulSet", NAME), "shared-memory").at("/emptyDir/sizeLimit"));
        assertThat(size).isGreaterThan(need.sharedMemoryLength() + 8 * need.sessionLength());
        // The heap, what it shares, and the JVM's own memory, with that of a probe.
        assertThat(bytes(container(manifests).at("/resources/limits/memory"))).isGreaterThan((1L << 30) + size + (512L << 20));
    }

    @ParameterizedTest
    @ValueSource(strings = { "members", "overlays/cluster", "overlays/partition", "client", "nightly", "workers" })
    void shouldClosePodsAndGiveThemAllThatTheyMayUse(final String kustomization)
    {
        for (final ObjectNode object : Manifests.of(kustomization).objects())
        {
            final JsonNode spec = Stream.of("/spec/template/spec", "/spec/jobTemplate/spec/template/spec").map(object::at)
                .filter((found) -> !found.isMissingNode()).findFirst().orElse(null);
            if (null == spec)
            {
                continue;
            }
            assertThat(spec.at("/securityContext/runAsNonRoot").asBoolean()).isTrue();
            assertThat(spec.at("/automountServiceAccountToken").asBoolean(true)).isFalse();
            final TreeSet<String> volumes = new TreeSet<>();
            spec.path("volumes").forEach((volume) -> volumes.add(volume.get("name").asText()));
            object.at("/spec/volumeClaimTemplates").forEach((claim) -> volumes.add(claim.at("/metadata/name").asText()));
            for (final JsonNode container : List.of(spec.path("initContainers"), spec.path("containers")).stream()
                .flatMap((containers) -> StreamSupport.stream(containers.spliterator(), false)).toList())
            {
                assertThat(container.at("/securityContext/readOnlyRootFilesystem").asBoolean()).as("%s", container).isTrue();
                assertThat(container.at("/securityContext/capabilities/drop/0").asText()).isEqualTo("ALL");
                assertThat(container.at("/resources/requests")).isNotEmpty().isEqualTo(container.at("/resources/limits"));
                assertThat(container.get("volumeMounts")).allSatisfy((mount) ->
                    assertThat(volumes).contains(mount.get("name").asText()));
            }
        }
    }

    @Test
    void shouldPlaceMembersOnNodesOfTheirOwnOrInZonesOfTheirOwn()
    {
        assertThat(keys("cluster", "podAntiAffinity")).isEqualTo("kubernetes.io/hostname");
        assertThat(keys("cluster", "podAffinity")).isEqualTo("topology.kubernetes.io/zone");
        assertThat(keys("partition", "podAntiAffinity")).isEqualTo("topology.kubernetes.io/zone");
        assertThat(Manifests.of("members").template("StatefulSet", NAME).at("/spec/affinity").isMissingNode()).isTrue();
    }

    @Test
    void shouldDrainThePodOfTheVictimAlone() throws Exception
    {
        final Path calls = folder.resolve("calls");
        final Path kubectl = Files.writeString(folder.resolve("kubectl"), """
            #!/bin/bash
            echo "$@" >> '%s'
            [[ $1 != get ]] || echo node-7
            """.formatted(calls));
        assertThat(kubectl.toFile().setExecutable(true)).isTrue();
        for (final String action : List.of("inject", "undo"))
        {
            final CommandResult result = RunningCommand.start(List.of(
                "env", "PATH=" + folder + ":" + System.getenv("PATH"), "FAULT=drain",
                EchoCluster.ROOT.resolve("deploy/kubernetes/lab/faults.sh").toString(), action, "1", "-1"),
                folder.resolve(action)).await(TimeUnit.SECONDS.toNanos(30));
            assertThat(result.exitCode()).as("%s", result).isZero();
        }
        // Other sets have a pod 1 as well.
        assertThat(Files.readAllLines(calls)).filteredOn((call) -> !call.startsWith("get ")).containsExactly(
            "annotate --overwrite statefulset cluster-echo cluster-echo-drained=node-7",
            "drain node-7 --pod-selector=statefulset.kubernetes.io/pod-name=cluster-echo-1 --ignore-daemonsets " +
            "--delete-emptydir-data --timeout=25s",
            "uncordon node-7");
    }

    private static String keys(final String overlay, final String kind)
    {
        return Manifests.of("overlays/" + overlay).template("StatefulSet", NAME).at(
            "/spec/affinity/" + kind + "/requiredDuringSchedulingIgnoredDuringExecution/0/topologyKey").asText();
    }

    /** The configuration of member 0, with a file of credentials that is here. */
    private NodeConfig config(final Manifests manifests) throws Exception
    {
        final Path settings = folder.resolve("cluster.properties");
        Files.writeString(settings, manifests.object("ConfigMap", NAME).at("/data/cluster.properties").asText());
        return new NodeConfig(new Settings(NodeSettings.PREFIX, NodeSettings.ALL).putFiles(List.of(settings))
            .put(NodeSettings.CREDENTIALS_FILE.key(), "", "test").put(NodeSettings.INSECURE.key(), "true", "test"));
    }

    private static JsonNode container(final Manifests manifests)
    {
        return manifests.template("StatefulSet", NAME).at("/spec/containers/0");
    }

    private static JsonNode volume(final JsonNode template, final String name)
    {
        return StreamSupport.stream(template.at("/spec/volumes").spliterator(), false)
            .filter((volume) -> name.equals(volume.get("name").asText())).findFirst().orElseThrow();
    }

    /** A quantity of Kubernetes in Mi or Gi. */
    private static long bytes(final JsonNode quantity)
    {
        final String text = quantity.asText();
        return Long.parseLong(text.replaceFirst("[MG]i$", "")) << (text.endsWith("Gi") ? 30 : 20);
    }
}

package io.clusterecho.peers;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;

import io.clusterecho.peers.command.Peers;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The suite with real servers and clients, at a hundredth of its size. */
class SuiteTest
{
    private static final String PUBLISHED = Path.of("..", "results", "published", "published.csv").toString();

    @TempDir
    private Path folder;

    @Test
    void shouldCompareRatiosWithThePublishedOnes() throws IOException
    {
        assertThat(suite("17801", "--only", "ping-pong", "--systems", "aeron-udp,grpc", "--rounds", "1")).isZero();
        final String report = file("report.md");
        assertThat(report).contains("## ping-pong").contains("| aeron-udp *(base)* |").contains("| grpc |")
            .contains("| differs |").contains("call style: a stream in both directions here, unary calls in the report")
            .contains("1 of 1 good");
        assertThat(file("runs.csv")).contains("ping-pong,,grpc,1,p50,").doesNotContain("fail");
        final JsonNode grpc = new ObjectMapper().readTree(file("suite.json")).at("/groups/0/systems/1");
        assertThat(grpc.get("name").asText()).isEqualTo("grpc");
        assertThat(grpc.at("/published/p50").isMissingNode()).isTrue();
        assertThat(grpc.at("/publishedDiffers/0").asText()).startsWith("call style: ");
        assertThat(grpc.at("/ratios/p50/median").asDouble()).isPositive();
        // The page parses the document and rejects one that it cannot show.
        assertThat(file("report.html")).contains("<title>GOOD peers").contains("cluster-echo-suite/1");
        assertThat(Files.isRegularFile(resultFolder().resolve("runs").resolve("ping-pong-grpc-1.json"))).isTrue();
        assertThat(file("runs/ping-pong-aeron-udp-1.json")).contains("peer.mtu=16384");
        assertThat(resultFolder().resolve("work")).doesNotExist();
    }

    @Test
    @Tag("slow")
    void shouldRunEachWorkloadOfEachSystem() throws IOException
    {
        // Without the cluster, whose members need the jar. On a busy machine a run may miss its rate.
        assertThat(suite(
            "17811", "--rounds", "1", "--systems",
            "aeron-udp,aeron-ipc,grpc,grpc-direct,grpc-unary,grpc-unary-direct-both,kryonet,rsocket,rsocket-channel,http1," +
            "aeron-protobuf,aeron-protobuf-arrays,aeron-rpc,aeron-rpc-arrays,ratis,ratis-memory,etcd")).isIn(0, 4);
        assertThat(file("runs.csv")).doesNotContain("exit status").doesNotContain("did not start").doesNotContain("in time");
    }

    @Test
    void shouldRejectUnknownValues()
    {
        assertThat(suite("17801", "--only", "ping")).isEqualTo(2);
        assertThat(suite("17801", "--systems", "zab")).isEqualTo(2);
        assertThat(suite("17801", "--only", "price-stream", "--systems", "http1")).isEqualTo(2);
        assertThat(suite("17801", "--published", folder.resolve("none").toString())).isEqualTo(2);
        assertThat(folder).isEmptyDirectory();
    }

    private int suite(final String firstPort, final String... options)
    {
        final List<String> all = new ArrayList<>(
            List.of("suite", "--output", folder.toString(), "--base-port", firstPort, "--scale", "0.01"));
        all.addAll(List.of("--published", PUBLISHED));
        // The last of two wins.
        all.addAll(List.of(options));
        return Peers.execute(all.toArray(new String[0]));
    }

    private Path resultFolder() throws IOException
    {
        try (var folders = Files.list(folder))
        {
            return folders.findFirst().orElseThrow();
        }
    }

    private String file(final String name) throws IOException
    {
        return Files.readString(resultFolder().resolve(name));
    }
}

package io.clusterecho.peers.workload;

import java.time.Instant;
import java.util.Map;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;

import io.clusterecho.client.results.Percentile;
import io.clusterecho.peers.PeerNames;
import io.clusterecho.platform.BuildFacts;
import io.clusterecho.platform.MachineFacts;

import org.HdrHistogram.Histogram;

/**
 * What all results of workloads say.
 */
final class WorkloadJson
{
    private static final ObjectMapper MAPPER = new ObjectMapper();

    private WorkloadJson()
    {
    }

    static ObjectNode root(final String format, final WorkloadOptions options, final boolean isGood)
    {
        final ObjectNode root = MAPPER.createObjectNode();
        root.put("format", format);
        root.put("start", Instant.now().toString());
        root.put("transport", options.transport);
        root.put("good", isGood);
        putAll(root.putObject("cluster"), PeerNames.peer("--transport", options.transport).facts());
        putAll(root.putObject("versions"), BuildFacts.versions());
        putAll(root.putObject("machine"), MachineFacts.machine());
        return root;
    }

    static void putTimes(final ObjectNode node, final Histogram times)
    {
        for (final Percentile percentile : Percentile.values())
        {
            node.put(percentile.label(), percentile.of(times));
        }
    }

    private static void putAll(final ObjectNode node, final Map<String, String> values)
    {
        values.forEach(node::put);
    }
}

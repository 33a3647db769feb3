package io.clusterecho.client.calibration;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;

import io.clusterecho.host.DiskPlace;
import io.clusterecho.reporting.results.DocumentKind;

/** A stored baseline with known numbers. */
public final class SampleBaseline
{
    private final ObjectNode document = new ObjectMapper().createObjectNode();

    /**
     * A good one: spinning 8 us from intended send time and 6 us from send time, sleeping 150 us and 110 us, syncs of 200 and
     * 300 us.
     *
     * @param start       of the measurement.
     * @param lengthBytes of the messages.
     * @param machine     facts of the machine.
     * @param disk        of the syncs.
     */
    public SampleBaseline(
        final String start, final int lengthBytes, final Map<String, String> machine, final DiskPlace disk)
    {
        document.put("format", DocumentKind.BASELINE.format()).put("label", "sample <b>").put("start", start);
        final ObjectNode verdict = document.putObject("verdict");
        verdict.put("good", true).put("label", "GOOD").put("partial", false);
        verdict.putArray("reasons");
        verdict.putArray("warnings").add("a warning");
        document.put("lengthBytes", lengthBytes).put("ratePerSecondAsked", 10_000).putArray("udp");
        putRoundTrip("busyspin", 8_000, 6_000);
        putRoundTrip("sleeping", 150_000, 110_000);
        final ObjectNode sync = document.putObject("sync");
        sync.put("folder", disk.folder()).put("store", disk.store()).put("type", disk.type()).put("pageLengthBytes", 4096);
        putTimes(sync.putObject("dataNs"), 200_000);
        putTimes(sync.putObject("allNs"), 300_000);
        document.put("durability", "none").put("commandLine", "java -jar load-client.jar baseline");
        document.putObject("configuration").put("size", String.valueOf(lengthBytes));
        final ObjectNode facts = document.putObject("machine");
        machine.forEach(facts::put);
    }

    /** The document, for changes before it is written. */
    public ObjectNode document()
    {
        return document;
    }

    /**
     * Write the folder of the baseline.
     *
     * @param folder to create.
     * @throws IOException if it cannot be written.
     */
    public Path write(final Path folder) throws IOException
    {
        Files.createDirectories(folder);
        Files.writeString(folder.resolve(DocumentKind.BASELINE.fileName()), document.toPrettyString());
        return folder;
    }

    private void putRoundTrip(final String idle, final long responseNs, final long serviceNs)
    {
        final ObjectNode one = document.withArray("udp").addObject();
        one.put("idle", idle).put("quietResponseTimeNs", responseNs).put("quietServiceTimeNs", serviceNs);
        putTimes(one.putObject("responseTimeNs"), responseNs + 1_000);
        putTimes(one.putObject("serviceTimeNs"), serviceNs + 1_000);
    }

    private static void putTimes(final ObjectNode node, final long p50Ns)
    {
        long timeNs = p50Ns;
        for (final String name : new String[]{ "p50", "p90", "p99", "p99.9", "p99.99", "max" })
        {
            node.put(name, timeNs);
            timeNs += 1_017;
        }
    }
}

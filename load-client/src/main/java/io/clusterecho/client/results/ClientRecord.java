package io.clusterecho.client.results;

import java.util.List;
import java.util.Map;

import com.fasterxml.jackson.databind.node.ObjectNode;

import io.clusterecho.client.load.LoadMeasurement;

/**
 * One of several clients of a run, for the record.
 *
 * @param number           of it, from 0.
 * @param command          that started it.
 * @param host             that it runs on, as it calls itself.
 * @param pid              of its process there.
 * @param machine          that it runs on.
 * @param folder           of its raw data, seen from the folder of the run.
 * @param before           offset of its clocks before the run, by which it was started.
 * @param after            the same after the run, or null where it was not there any more.
 * @param ceilingPerSecond messages that it manages into a transport that answers at once, while all others try the same.
 * @param loss             why it did not bring the run to its end, or empty.
 * @param measurement      of its share.
 */
public record ClientRecord(
    int number,
    String command,
    String host,
    long pid,
    Map<String, String> machine,
    String folder,
    ClockOffset before,
    ClockOffset after,
    long ceilingPerSecond,
    String loss,
    LoadMeasurement measurement)
{
    /**
     * Put it into a document.
     *
     * @param node to put it to.
     */
    public void put(final ObjectNode node)
    {
        node.put("number", number).put("folder", folder).put("host", host).put("pid", pid).put("command", command);
        node.put("lost", loss);
        node.put("clockOffsetNs", before.offsetNs()).put("clockErrorNs", before.errorNs());
        node.put("timeOfDayOffsetNs", before.timeOfDayNs());
        if (null != after)
        {
            node.put("clockOffsetAfterNs", after.offsetNs()).put("clockErrorAfterNs", after.errorNs());
        }
        node.put("scheduled", measurement.outcome().scheduled());
        node.put("answered", measurement.outcome().answered());
        node.put("late", measurement.outcome().late());
        node.put("unanswered", measurement.outcome().unanswered());
        node.put("neverSent", measurement.outcome().neverSent());
        node.put("clientCeilingPerSecond", ceilingPerSecond);
        Manifest.putTimes(node.putObject("responseTimeNs"), measurement.responseTimes());
        final ObjectNode machineNode = node.putObject("machine");
        machine.forEach(machineNode::put);
    }

    /**
     * How well the clients started together.
     *
     * @param records of all clients.
     * @return largest error of a start, in ns.
     */
    public static long startErrorNs(final List<ClientRecord> records)
    {
        return records.stream().mapToLong((record) -> record.before().errorNs()).max().orElse(0);
    }
}

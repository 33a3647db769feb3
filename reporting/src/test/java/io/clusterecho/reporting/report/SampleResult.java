package io.clusterecho.reporting.report;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;

import org.HdrHistogram.Histogram;
import org.HdrHistogram.HistogramLogWriter;

/**
 * A result folder with numbers that are known: row <i>i</i> of 10 has 100 response times of 1 ms and one of
 * <i>i</i> + 2 ms; row 0 is the warm-up and row 9 the drain.
 */
final class SampleResult
{
    static final int ROW_COUNT = 10;
    static final long COUNT_PER_ROW = 101;
    static final long NS_PER_MS = 1_000_000L;

    private static final ObjectMapper MAPPER = new ObjectMapper();
    private static final int SIGNIFICANT_DIGITS = 3;

    private SampleResult()
    {
    }

    static Path write(final Path folder, final String label, final String verdict) throws IOException
    {
        Files.createDirectories(folder);
        final Histogram total = new Histogram(SIGNIFICANT_DIGITS);
        final StringBuilder csv = new StringBuilder(
            "begin_s,end_s,phase,leader,sent,answered,in_flight,back_pressured,disconnected,new_column\n");
        for (int row = 0; row < ROW_COUNT; row++)
        {
            total.add(histogram(row));
            csv.append(String.format(
                "%d.000,%d.000,%s,%d,101,%d,%d,%d,0,x%n", row, row + 1, phase(row), row < 5 ? 0 : 2, 101 - row % 2, row % 2,
                row * 7));
        }
        Files.writeString(folder.resolve("intervals.csv"), csv);
        for (final String name : new String[]{ "response-time", "service-time", "send-delay", "stall" })
        {
            writeLog(folder.resolve(name + ".hlog"));
        }
        for (final String name : new String[]{ "response-time", "service-time", "send-delay" })
        {
            final ByteArrayOutputStream out = new ByteArrayOutputStream();
            total.outputPercentileDistribution(new PrintStream(out, true, StandardCharsets.UTF_8), 5, 1_000.0);
            Files.write(folder.resolve(name + ".hgrm"), out.toByteArray());
        }
        writeCounters(folder);
        Files.writeString(folder.resolve("summary.txt"), verdict + "  " + label + "\n  ! a reason with <b>markup</b>\n");
        Files.writeString(folder.resolve("manifest.json"), manifest(label, verdict).toPrettyString());
        return folder;
    }

    /** Leave of a result what its page needs without charts over time. */
    static void removeIntervals(final Path folder) throws IOException
    {
        for (final String name : new String[]{ "response-time", "service-time", "send-delay", "stall" })
        {
            Files.delete(folder.resolve(name + ".hlog"));
        }
        for (final String name : new String[]{ "intervals.csv", "counters.csv", "machine.csv" })
        {
            Files.delete(folder.resolve(name));
        }
    }

    /** In row <i>i</i> member 0 asked 3 <i>i</i> times for a retransmit; each process used 100 ms of a core. */
    private static void writeCounters(final Path folder) throws IOException
    {
        final StringBuilder counters = new StringBuilder("begin_s,end_s,process,pid,cpu_ms,naks_sent,write_ms,new_column\n");
        final StringBuilder machine = new StringBuilder("begin_s,end_s,user_ms,system_ms,idle_ms,steal_ms\n");
        for (int row = 0; row < ROW_COUNT; row++)
        {
            counters.append(String.format("%d.000,%d.000,client,7,100,0,,x%n", row, row + 1));
            counters.append(String.format("%d.000,%d.000,member-0,8,100,%d,0.000,x%n", row, row + 1, 3 * row));
            machine.append(String.format("%d.000,%d.000,500,100,1400,0%n", row, row + 1));
        }
        Files.writeString(folder.resolve("counters.csv"), counters);
        Files.writeString(folder.resolve("machine.csv"), machine);
    }

    static ObjectNode manifest(final String label, final String verdict)
    {
        final ObjectNode manifest = MAPPER.createObjectNode();
        manifest.put("format", "cluster-echo-run/2").put("label", label).put("start", "2026-11-21T09:13:36.418Z");
        final ObjectNode verdictNode = manifest.putObject("verdict");
        verdictNode.put("good", "GOOD".equals(verdict)).put("label", verdict).put("partial", "PARTIAL".equals(verdict));
        verdictNode.putArray("reasons").add("a reason with <b>markup</b>");
        verdictNode.putArray("warnings").add("a warning");
        manifest.put("scheduled", 1_010).put("answered", 1_000).put("late", 1).put("unanswered", 2).put("neverSent", 7);
        manifest.put("duplicates", 3).put("outOfOrder", 4).put("corrupt", 5).put("backPressured", 315);
        manifest.put("disconnected", 0).put("newLeaders", 1);
        manifest.put("ratePerSecondAsked", 101).put("ratePerSecondAchieved", 100.25);
        long timeNs = 101_017;
        for (final String time : new String[]{ "responseTimeNs", "serviceTimeNs", "sendDelayNs", "stallNs" })
        {
            final ObjectNode times = manifest.putObject(time);
            for (final String name : new String[]{ "min", "mean", "p50", "p90", "p99", "p99.9", "p99.99", "max" })
            {
                times.put(name, timeNs);
                timeNs += 1_234_567;
            }
            times.put("count", 101_000);
        }
        manifest.withObject("/responseTimeNs/confidence95").putArray("p99").add(2_345_678).add(34_567_890);
        manifest.withObject("/sendDelayNs/confidence95Missing").put("p99.9", "the run has <b>few</b> intervals");
        final ObjectNode diagnosis = manifest.putObject("diagnosis").put("tail", "p99 is 12.0 times the median");
        diagnosis.put("long", true);
        diagnosis.putArray("findings").addObject().put("rule", "loss").put("cause", "packets were <b>lost</b>")
            .put("advice", "give sockets room").put("present", 0.5).put("share", 0.75);
        manifest.put("durability", "fsync 0: page caches").put("resultFolder", "somewhere");
        manifest.put("commandLine", "java -jar load-client.jar --label '" + label + "'");
        manifest.putObject("configuration").put("rate", "101").put("duration", "8000000000ns");
        manifest.putObject("cluster").put("echo.fsync", "0");
        manifest.putObject("versions").put("aeron", "1.51.0");
        manifest.putObject("machine").put("cpuCount", "2");
        manifest.putObject("jvm").put("version", "17");
        return manifest;
    }

    private static Histogram histogram(final int row)
    {
        final Histogram histogram = new Histogram(SIGNIFICANT_DIGITS);
        histogram.recordValueWithCount(NS_PER_MS, COUNT_PER_ROW - 1);
        histogram.recordValue((row + 2) * NS_PER_MS);
        return histogram;
    }

    private static String phase(final int row)
    {
        return 0 == row ? "warm_up" : ROW_COUNT - 1 == row ? "drain" : "measure";
    }

    private static void writeLog(final Path file) throws IOException
    {
        try (PrintStream out = new PrintStream(file.toFile(), StandardCharsets.UTF_8))
        {
            final HistogramLogWriter writer = new HistogramLogWriter(out);
            writer.outputLogFormatVersion();
            writer.setBaseTime(0);
            writer.outputLegend();
            for (int row = 0; row < ROW_COUNT; row++)
            {
                final Histogram histogram = histogram(row);
                histogram.setStartTimeStamp(row * 1_000L);
                histogram.setEndTimeStamp((row + 1) * 1_000L);
                writer.outputIntervalHistogram(histogram);
            }
        }
    }
}

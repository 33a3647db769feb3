import java.io.File;
import java.nio.file.Path;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;

import org.HdrHistogram.EncodableHistogram;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.HistogramLogReader;

/**
 * Prints percentiles of a run from the histograms of its intervals.
 * <pre>
 *     java -cp load-client.jar docs/examples/Percentiles.java results/reference-20261126-demo
 * </pre>
 */
public final class Percentiles
{
    public static void main(final String[] args) throws Exception
    {
        final Path folder = Path.of(args[0]);
        final JsonNode run = new ObjectMapper().readTree(folder.resolve("manifest.json").toFile());
        final String format = run.get("format").asText();
        if (!format.matches("cluster-echo-run/[12]"))
        {
            throw new IllegalArgumentException("unknown format: " + format);
        }
        System.out.println(run.at("/verdict/label").asText() + " " + run.get("label").asText());

        final Histogram sum = new Histogram(3);
        final File log = folder.resolve("response-time.hlog").toFile();
        try (HistogramLogReader reader = new HistogramLogReader(log))
        {
            for (EncodableHistogram next = reader.nextIntervalHistogram(); null != next; next = reader.nextIntervalHistogram())
            {
                sum.add((Histogram)next);
            }
        }
        // Messages without a reply are in no interval; the manifest has them.
        System.out.println("in intervals " + sum.getTotalCount() + " of " + run.get("scheduled").asLong());
        for (final double percent : new double[]{ 50, 99, 99.9, 100 })
        {
            System.out.printf("%s%% %.1f us%n", percent, sum.getValueAtPercentile(percent) / 1e3);
        }
    }
}

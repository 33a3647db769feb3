package io.clusterecho.client.sweep;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

import io.clusterecho.node.placement.Placement;

/**
 * Figures that others have published of the same thing. They are of other machines: only ratios within one report can be
 * held against ratios of ours.
 */
final class Published
{
    static final String SOURCE = "aeron-aws";
    static final String SYSTEM = "aeron-java and aeron-c";

    private static final String SYSTEM_PREFIX = "aeron-";
    private static final String FILE = "/io/clusterecho/published/published.csv";
    private static final String TEST = "cluster-echo";
    private static final int COLUMN_COUNT = 9;
    private static final List<Figure> FIGURES = read();

    /**
     * @param system        that was measured.
     * @param setup         where the members stood.
     * @param lengthBytes   of the messages.
     * @param ratePerSecond of the messages.
     * @param metric        a percentile.
     * @param timeUs        in us.
     */
    private record Figure(
        String system, String setup, String lengthBytes, String ratePerSecond, String metric, double timeUs)
    {
    }

    private Published()
    {
    }

    /**
     * Time of an echo through a cluster.
     *
     * @param driver      of members and client.
     * @param placement   of ours, which stands for one of theirs, or for none.
     * @param lengthBytes of the messages.
     * @param metric      a percentile.
     * @return in us, or empty if it was not published.
     */
    static Optional<Double> timeUs(
        final String driver, final String placement, final String lengthBytes, final String metric)
    {
        final String setup = switch (placement)
        {
            case Placement.NONE, Placement.CLUSTER -> "cluster-placement";
            case Placement.PARTITION -> "partition-placement";
            default -> "";
        };
        return FIGURES.stream()
            .filter((figure) ->
                figure.system().equals(SYSTEM_PREFIX + driver) && figure.setup().equals(setup) &&
                figure.lengthBytes().equals(lengthBytes) && figure.metric().equals(metric))
            .map(Figure::timeUs).findFirst();
    }

    private static List<Figure> read()
    {
        try (InputStream in = Published.class.getResourceAsStream(FILE))
        {
            if (null == in)
            {
                throw new IllegalStateException(FILE + " is missing: the build did not pack it");
            }
            return new String(in.readAllBytes(), StandardCharsets.UTF_8).lines().skip(1)
                .flatMap((line) -> figure(line.split(",", -1))).toList();
        }
        catch (final IOException ex)
        {
            throw new UncheckedIOException(FILE + " cannot be read", ex);
        }
    }

    /**
     * From the columns source, system, test, setup, payload_bytes, rate_per_second, metric, value, unit.
     */
    private static Stream<Figure> figure(final String[] columns)
    {
        return COLUMN_COUNT == columns.length && SOURCE.equals(columns[0]) && columns[1].startsWith(SYSTEM_PREFIX) &&
            TEST.equals(columns[2]) && "us".equals(columns[8]) ?
            Stream.of(new Figure(
                columns[1], columns[3], columns[4], columns[5], columns[6], Double.parseDouble(columns[7]))) :
            Stream.empty();
    }
}

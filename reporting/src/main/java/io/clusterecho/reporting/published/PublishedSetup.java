package io.clusterecho.reporting.published;

import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

import com.fasterxml.jackson.databind.JsonNode;

import io.clusterecho.settings.Quantity;
import io.clusterecho.settings.SettingKeys;

/**
 * A result in the terms of the guide to benchmarking Aeron in AWS, if the guide has figures of such a system: an echo through a
 * cluster, or through the transport alone.
 *
 * @param driver      media driver: {@code java} or {@code c}.
 * @param placement   of the guide: the distance between the machines.
 * @param memberCount of the cluster; empty without one.
 * @param load        open loop with its rate, or a search.
 * @param condition   of a search; empty for a run.
 */
public record PublishedSetup(
    String test,
    String driver,
    String placement,
    String memberCount,
    String fsync,
    String mtuBytes,
    String size,
    String load,
    String condition)
{
    public static final String SOURCE = "aeron-aws";

    public static final String TITLE = "Step-by-Step guide to benchmarking Aeron in your AWS environment (aeron.io)";

    public static final String SEARCH = "search";

    /** Placement of other hosts where none was given. */
    public static final String NOT_GIVEN = "not given";

    private static final PublishedFigures FIGURES = PublishedFigures.packed();
    private static final String CLUSTER_TEST = "cluster-echo";
    private static final String TRANSPORT_TEST = "transport-echo";
    private static final String CLUSTER_PLACEMENT = "cluster-placement";
    private static final String PARTITION_PLACEMENT = "partition-placement";
    /** Placements of the guide by those of our results. */
    private static final Map<String, String> PLACEMENTS =
        Map.of("none", CLUSTER_PLACEMENT, "cluster", CLUSTER_PLACEMENT, "partition", PARTITION_PLACEMENT);
    private static final Set<String> CLUSTERS = Set.of("cluster", "aeron-cluster");
    private static final String TRANSPORT = "aeron-udp";
    private static final String TRANSPORT_MTU = "1408";
    private static final String CONSTANT = "constant";

    /**
     * Setup of a result.
     *
     * @param document with {@code configuration} and {@code cluster}, as in results of runs and searches.
     * @return empty if the guide has no such system.
     */
    public static Optional<PublishedSetup> of(final JsonNode document)
    {
        final JsonNode cluster = document.path("cluster");
        final JsonNode configuration = document.path("configuration");
        final String size = configuration.path("size").asText();
        final String condition = document.path("slo").asText();
        final String load = !condition.isEmpty() ? SEARCH :
            openLoop(document.path("ratePerSecondAsked").asText(), configuration.path("arrivals").asText(null));
        final String transport = configuration.path("transport").asText();
        final boolean isAlone = TRANSPORT.equals(transport);
        // These are the client's; the server has a process and settings of its own.
        final String settings = configuration.path("transport-set").asText();
        final String hosts = cluster.path(SettingKeys.HOSTS).asText();
        return isAlone && !isThisMachine(configuration.path("endpoints").asText()) ? Optional.empty() : ofTransport(
            transport, String.valueOf(hosts.split(",").length), cluster.path(SettingKeys.FSYNC).asText(),
            isAlone ? setting(settings, "peer.mtu").orElse(TRANSPORT_MTU) : cluster.path(SettingKeys.MTU).asText(),
            isAlone ? setting(settings, "peer.driver").orElse("java") : cluster.path(SettingKeys.DRIVER).asText("java"),
            placement(cluster.path(SettingKeys.PLACEMENT).asText("none"), hosts), size, load, condition);
    }

    /** Other hosts may be in any zone unless their placement is given; on one machine there is one. */
    private static String placement(final String given, final String hosts)
    {
        return "none".equals(given) && !isThisMachine(hosts) ? NOT_GIVEN : given;
    }

    /** @param addresses separated by commas, empty for the default; names other than localhost count as other hosts. */
    private static boolean isThisMachine(final String addresses)
    {
        return Stream.of(addresses.split(",")).allMatch((address) -> address.matches("(|\\[?::1.*|127\\..*|localhost.*)"));
    }

    /** Load of a run, with arrivals by the name of the option; null is its default. */
    public static String openLoop(final String ratePerSecond, final String arrivals)
    {
        return Experiment.openLoop(ratePerSecond) +
            (null == arrivals || CONSTANT.equals(arrivals) ? "" : ", " + arrivals + " arrivals");
    }

    /**
     * Setup of an echo through a cluster, or through the transport alone.
     *
     * @param transport   by its name for {@code --transport}.
     * @param mtu         of the channels; {@code auto} is the default.
     * @param placement   of our result, which corresponds to one of the guide's or to none; of a cluster.
     * @param load        open loop with its rate, or {@link #SEARCH}.
     * @param condition   of a search; empty for a run.
     * @return empty if the guide has no such system.
     */
    public static Optional<PublishedSetup> ofTransport(
        final String transport,
        final String memberCount,
        final String fsync,
        final String mtu,
        final String driver,
        final String placement,
        final String size,
        final String load,
        final String condition)
    {
        final boolean isAlone = TRANSPORT.equals(transport);
        final String theirs = isAlone ? CLUSTER_PLACEMENT :
            CLUSTERS.contains(transport) ? PLACEMENTS.getOrDefault(placement, "") : "";
        if (theirs.isEmpty())
        {
            return Optional.empty();
        }
        final PublishedSetup setup = new PublishedSetup(
            isAlone ? TRANSPORT_TEST : CLUSTER_TEST, driver, theirs, isAlone ? "" : memberCount, isAlone ? "" : fsync,
            bytes(isAlone && "auto".equals(mtu) ? TRANSPORT_MTU : mtu), size, load,
            condition.replace(" ", "").toLowerCase(Locale.ROOT));
        return setup.figure("p50").isPresent() ? Optional.of(setup) : Optional.empty();
    }

    /** What the result measures by a metric: a percentile, or {@code rate} for the highest rate. */
    public Experiment experiment(final String metric)
    {
        return new Experiment(
            TRANSPORT_TEST.equals(test) ? "Aeron, " + driver + " driver, MTU " + mtuBytes :
            "cluster of " + memberCount + " members, " + driver + " driver, file sync level " + fsync + ", MTU " + mtuBytes +
            ", " + placement,
            Experiment.REQUEST_RESPONSE, Experiment.BYTES, size, load,
            condition.isEmpty() ? metric : Experiment.highestRate(condition));
    }

    /** The published ratio to show beside that of this result to a base, by the same metrics as {@link #experiment}. */
    public PublishedRatio ratioTo(final PublishedSetup base, final String metric)
    {
        final Optional<PublishedFigure> own = figure(metric);
        final Optional<PublishedFigure> other = base.figure(metric);
        return own.isEmpty() || other.isEmpty() ? PublishedRatio.NONE : PublishedRatio.of(
            new PublishedRatio.Side(experiment(metric), own.get()),
            new PublishedRatio.Side(base.experiment(metric), other.get()));
    }

    /** How this setup differs from another, if by one thing only, such as {@code size 288 : 32}. */
    public Optional<String> against(final PublishedSetup other)
    {
        final List<String> differences = Stream.of(
            difference("", test, other.test), difference("driver ", driver, other.driver),
            difference("", placement, other.placement), difference("members ", memberCount, other.memberCount),
            difference("file sync level ", fsync, other.fsync), difference("MTU ", mtuBytes, other.mtuBytes),
            difference("size ", size, other.size), difference("", load, other.load),
            difference("", condition, other.condition)).flatMap(Optional::stream).toList();
        return 1 == differences.size() ? Optional.of(differences.get(0)) : Optional.empty();
    }

    private Optional<PublishedFigure> figure(final String metric)
    {
        final String name = !"rate".equals(metric) ? metric :
            PARTITION_PLACEMENT.equals(placement) ? "max_rate_p99_below_10ms" : "max_rate_p99_below_1ms";
        return FIGURES.find(SOURCE, "aeron-" + driver, test, placement::equals, size, name);
    }

    private static Optional<String> setting(final String assignments, final String key)
    {
        return Stream.of(assignments.split("[,\\s\\[\\]]+")).filter((one) -> one.startsWith(key + "="))
            .map((one) -> one.substring(key.length() + 1)).reduce((earlier, later) -> later);
    }

    private static String bytes(final String text)
    {
        try
        {
            return String.valueOf(Quantity.parseSize(text));
        }
        catch (final IllegalArgumentException ex)
        {
            return text;
        }
    }

    private static Optional<String> difference(final String name, final String value, final String other)
    {
        return value.equals(other) ? Optional.empty() : Optional.of(name + value + " : " + other);
    }
}

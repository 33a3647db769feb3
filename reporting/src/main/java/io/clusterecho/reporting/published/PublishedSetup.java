package io.clusterecho.reporting.published;

import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.stream.Stream;

import com.fasterxml.jackson.databind.JsonNode;

import io.clusterecho.settings.SettingKeys;

/**
 * A result in the terms of the guide to benchmarking Aeron in AWS, if the guide measured the same: an echo through a cluster of
 * three members at file sync level 0, or through the transport alone, both with the default MTU.
 *
 * @param test   of the guide.
 * @param system of the guide: the media driver.
 * @param setup  of the guide: the distance between the machines.
 * @param size   of the messages, in bytes.
 */
public record PublishedSetup(String test, String system, String setup, String size)
{
    /**
     * Key of the report.
     */
    public static final String SOURCE = "aeron-aws";

    /**
     * Title of the report.
     */
    public static final String TITLE = "Step-by-Step guide to benchmarking Aeron in your AWS environment (aeron.io)";

    private static final PublishedFigures FIGURES = PublishedFigures.packed();
    private static final String CLUSTER_TEST = "cluster-echo";
    private static final String MTU = "1408";
    private static final int MEMBER_COUNT = 3;

    /**
     * Setup of a result.
     *
     * @param document with {@code configuration} and {@code cluster}, as in results.
     * @return empty if the guide did not measure the same.
     */
    public static Optional<PublishedSetup> of(final JsonNode document)
    {
        final JsonNode cluster = document.path("cluster");
        final String size = document.at("/configuration/size").asText();
        switch (document.at("/configuration/transport").asText())
        {
            case "cluster", "aeron-cluster" ->
            {
                return ofCluster(
                    cluster.path(SettingKeys.HOSTS).asText().split(",").length, cluster.path(SettingKeys.FSYNC).asText(),
                    cluster.path(SettingKeys.MTU).asText(), cluster.path(SettingKeys.DRIVER).asText("java"),
                    cluster.path(SettingKeys.PLACEMENT).asText("none"), size);
            }
            case "aeron-udp" ->
            {
                return Optional.of(new PublishedSetup("transport-echo", "aeron-java", "cluster-placement", size));
            }
            default ->
            {
                return Optional.empty();
            }
        }
    }

    /**
     * Setup of an echo through a cluster.
     *
     * @param memberCount of the cluster.
     * @param fsync       its file sync level.
     * @param mtu         of its channels.
     * @param driver      of members and client.
     * @param placement of our result, which corresponds to one of the guide's or to none.
     * @param size        of the messages.
     * @return empty if the guide did not measure the same.
     */
    public static Optional<PublishedSetup> ofCluster(
        final int memberCount,
        final String fsync,
        final String mtu,
        final String driver,
        final String placement,
        final String size)
    {
        final String setup = switch (placement)
        {
            case "none", "", "cluster" -> "cluster-placement";
            case "partition" -> "partition-placement";
            default -> null;
        };
        final String system = switch (driver)
        {
            case "java" -> "aeron-java";
            case "c" -> "aeron-c";
            default -> null;
        };
        return MEMBER_COUNT == memberCount && "0".equals(fsync) && MTU.equals(mtu) && null != setup && null != system ?
            Optional.of(new PublishedSetup(CLUSTER_TEST, system, setup, size)) : Optional.empty();
    }

    /**
     * A figure of the guide.
     *
     * @param metric a percentile, or {@code rate} for the highest rate with a 99th percentile below the guide's limit.
     * @return in the guide's unit, or empty if it has none.
     */
    public OptionalDouble value(final String metric)
    {
        final String name = !"rate".equals(metric) ? metric :
            "partition-placement".equals(setup) ? "max_rate_p99_below_10ms" : "max_rate_p99_below_1ms";
        return FIGURES.value(SOURCE, system, test, setup::equals, size, name);
    }

    /**
     * How this setup differs from another, if by one thing only.
     *
     * @param other to compare with.
     * @return such as {@code size 288 : 32}, or empty.
     */
    public Optional<String> against(final PublishedSetup other)
    {
        final List<String> differences = Stream.of(
            difference("", test, other.test), difference("driver ", system, other.system),
            difference("", setup, other.setup), difference("size ", size, other.size)).flatMap(Optional::stream).toList();
        return 1 == differences.size() ? Optional.of(differences.get(0)) : Optional.empty();
    }

    private static Optional<String> difference(final String name, final String value, final String other)
    {
        return value.equals(other) ? Optional.empty() : Optional.of(name + value + " : " + other);
    }
}

package io.clusterecho.node.config;

import java.util.List;
import java.util.Map;

import io.aeron.driver.Configuration;

import io.clusterecho.settings.Setting;

/** Values of settings that are {@code auto}. */
final class AutoValues
{
    /** Values of members with Aeron's defaults, for settings that are not given. */
    static final Map<Setting<?>, Object> STOCK = Map.of(
        NodeSettings.MTU, String.valueOf(Configuration.MTU_LENGTH_DEFAULT),
        NodeSettings.LOG_TERM_LENGTH, 64L << 20,
        NodeSettings.CLIENT_TERM_LENGTH, (long)Configuration.TERM_BUFFER_LENGTH_DEFAULT,
        NodeSettings.CORES, NodeSettings.ANY_CORES);

    /** Largest MTU that every channel can have, including those of short terms. */
    private static final int LOOPBACK_MTU = NodeConfig.MAX_MTU_OF_SHORT_TERM;
    private static final int NETWORK_MTU = 1408;
    private static final int CORES_OF_SHARED_MEMBER = 4;
    private static final int CORES_OF_DEDICATED_MEMBER = 16;

    private AutoValues()
    {
    }

    /**
     * Nothing on the way between loopback addresses fragments a datagram, and each datagram costs several system calls and a
     * wake-up of its receiver, whatever its length: with queued messages, larger datagrams sustain a higher rate. A placement
     * emulates a network, whose frames are shorter.
     */
    static int mtuLength(final String given, final boolean isPlaced, final List<String> hosts)
    {
        if (!NodeSettings.AUTO.equals(given))
        {
            return Integer.parseInt(given);
        }

        return !isPlaced && hosts.stream().allMatch(OwnAddress::isLoopback) ? LOOPBACK_MTU : NETWORK_MTU;
    }

    static String profile(final String given, final boolean isDriverEmbedded, final long localMembers)
    {
        if (!NodeSettings.AUTO.equals(given))
        {
            return given;
        }
        if (isDriverEmbedded)
        {
            return "compact";
        }

        final long cores = Runtime.getRuntime().availableProcessors();
        if (cores < CORES_OF_SHARED_MEMBER * localMembers)
        {
            return "compact";
        }

        return cores < CORES_OF_DEDICATED_MEMBER * localMembers ? "shared" : "dedicated";
    }
}

package io.clusterecho.host;

import java.util.List;
import java.util.Optional;

/**
 * A network interface other than loopback.
 *
 * @param driver    and its version, if it has one; empty for an interface without hardware.
 * @param speedMbit in Mbit/s; empty if unknown.
 * @param mtuLength in bytes; 0 if unknown.
 * @param node      NUMA node of the hardware; empty if it has none or it is unknown.
 */
public record NetworkCard(
    String name, Optional<String> driver, Optional<Long> speedMbit, int mtuLength, Optional<Integer> node)
{
    private static final String FOLDER = "sys/class/net/";

    /** Interfaces of a host that are up: those with hardware, or all if none has. Those without come and go with containers. */
    public static List<NetworkCard> all(final HostFiles files)
    {
        final List<NetworkCard> all = files.names(FOLDER).stream().filter((name) ->
            !"lo".equals(name) && !"down".equals(files.text(FOLDER + name + "/operstate").orElse("unknown")))
            .map((name) -> of(files, name)).toList();
        final List<NetworkCard> cards = all.stream().filter((card) -> card.driver.isPresent()).toList();
        return cards.isEmpty() ? all : cards;
    }

    public static NetworkCard of(final HostFiles files, final String name)
    {
        final String folder = FOLDER + name + "/";
        final Optional<String> version = files.text(folder + "device/driver/module/version");
        return new NetworkCard(
            name,
            files.target(folder + "device/driver").map((driver) -> driver + version.map((text) -> " " + text).orElse("")),
            files.number(folder + "speed").filter((speed) -> speed > 0),
            files.number(folder + "mtu").orElse(0L).intValue(),
            files.number(folder + "device/numa_node").filter((node) -> node >= 0).map(Long::intValue));
    }

    /** As in {@code eth0 (ena 2.8, 50000 Mbit/s, MTU 9001, NUMA node 0)}. */
    public String text()
    {
        return name + " (" + driver.orElse("no hardware") + ", " +
            speedMbit.map((speed) -> speed + " Mbit/s").orElse("speed unknown") + ", MTU " + mtuLength + ", NUMA node " +
            node.map(String::valueOf).orElse("unknown") + ")";
    }
}

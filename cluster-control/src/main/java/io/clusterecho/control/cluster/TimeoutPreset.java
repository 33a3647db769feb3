package io.clusterecho.control.cluster;

import java.util.List;

import io.clusterecho.node.config.NodeSettings;
import io.clusterecho.settings.Setting;
import io.clusterecho.settings.Settings;

/** Named sets of the timeouts that bound the time without a leader after the leader was killed. */
public enum TimeoutPreset
{
    /** Aeron's defaults: at most 11.75 s without a leader; tolerates pauses of up to 10 s. */
    DEFAULT(),

    /**
     * At most 3 s without a leader. A pause of the leader of 2 s, by the machine, the disk or the garbage collector, costs an
     * election. That is rare even where a few cores are shared; heartbeat timeouts of 1 s and less cause needless elections
     * there whenever another process starts. A start without all members waits 10 s for the missing ones, not 60 s: a member
     * that comes up later may find a log that has advanced without it.
     */
    FAST("2s", "100ms", "500ms", "50ms", "10s"),

    /**
     * At most 0.55 s without a leader. A pause of the leader of 150 ms costs an election: for machines on which nothing else
     * runs, and to measure what is possible. What remains is a ballot that waits for the dead member's vote, and up to 100 ms
     * until the new leader announces its log again, an interval of Aeron's that cannot be set.
     */
    FASTEST("150ms", "15ms", "100ms", "20ms", "5s");

    private static final List<Setting<Long>> TIMEOUTS = List.of(
        NodeSettings.HEARTBEAT_TIMEOUT, NodeSettings.HEARTBEAT_INTERVAL, NodeSettings.ELECTION_TIMEOUT,
        NodeSettings.ELECTION_STATUS_INTERVAL, NodeSettings.CANVASS_TIMEOUT);

    /** In the order of the timeouts; none for their defaults. */
    private final List<String> values;

    TimeoutPreset(final String... values)
    {
        this.values = List.of(values);
    }

    /** Apply the timeouts of this preset; later sources override them. */
    public void apply(final Settings settings)
    {
        for (int i = 0; i < values.size(); i++)
        {
            settings.put(TIMEOUTS.get(i).key(), values.get(i), "--timeouts");
        }
    }

    /** Set all timeouts of any preset, for a comparison with those of a running cluster. */
    public void applyAll(final Settings settings)
    {
        TIMEOUTS.forEach((timeout) -> settings.put(timeout.key(), timeout.defaultText(), "--timeouts"));
        apply(settings);
    }
}

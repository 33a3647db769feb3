package io.clusterecho.control.cluster;

import java.util.Map;

import io.clusterecho.node.config.NodeSettings;
import io.clusterecho.settings.Setting;
import io.clusterecho.settings.Settings;

/** Named sets of the timeouts that bound the time without a leader after the leader was killed. */
public enum TimeoutPreset
{
    /** Aeron's defaults: at most 11.75 s without a leader; tolerates pauses of up to 10 s. */
    DEFAULT(Map.of()),

    /**
     * At most 3 s without a leader. A pause of the leader of 2 s, by the machine, the disk or the garbage collector, costs an
     * election. That is rare even where a few cores are shared; heartbeat timeouts of 1 s and less cause needless elections
     * there whenever another process starts. A start without all members waits 10 s for the missing ones, not 60 s: a member
     * that comes up later may find a log that has advanced without it.
     */
    FAST(Map.of(
        NodeSettings.HEARTBEAT_TIMEOUT.key(), "2s",
        NodeSettings.HEARTBEAT_INTERVAL.key(), "100ms",
        NodeSettings.ELECTION_TIMEOUT.key(), "500ms",
        NodeSettings.ELECTION_STATUS_INTERVAL.key(), "50ms",
        NodeSettings.CANVASS_TIMEOUT.key(), "10s")),

    /**
     * At most 0.55 s without a leader. A pause of the leader of 150 ms costs an election: for machines on which nothing else
     * runs, and to measure what is possible. What remains is a ballot that waits for the dead member's vote, and up to 100 ms
     * until the new leader announces its log again, an interval of Aeron's that cannot be set.
     */
    FASTEST(Map.of(
        NodeSettings.HEARTBEAT_TIMEOUT.key(), "150ms",
        NodeSettings.HEARTBEAT_INTERVAL.key(), "15ms",
        NodeSettings.ELECTION_TIMEOUT.key(), "100ms",
        NodeSettings.ELECTION_STATUS_INTERVAL.key(), "20ms",
        NodeSettings.CANVASS_TIMEOUT.key(), "5s"));

    private final Map<String, String> values;

    TimeoutPreset(final Map<String, String> values)
    {
        this.values = values;
    }

    /** Apply the timeouts of this preset; later sources override them. */
    public void apply(final Settings settings)
    {
        values.forEach((key, value) -> settings.put(key, value, "--timeouts"));
    }

    /** Set all timeouts of any preset, for a comparison with those of a running cluster. */
    public void applyAll(final Settings settings)
    {
        for (final Setting<?> setting : NodeSettings.ALL)
        {
            if (FAST.values.containsKey(setting.key()) || FASTEST.values.containsKey(setting.key()))
            {
                settings.put(setting.key(), values.getOrDefault(setting.key(), setting.defaultText()), "--timeouts");
            }
        }
    }
}

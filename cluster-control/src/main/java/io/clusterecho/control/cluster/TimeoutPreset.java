package io.clusterecho.control.cluster;

import java.util.Map;

import io.clusterecho.node.config.NodeSettings;
import io.clusterecho.settings.Setting;
import io.clusterecho.settings.Settings;

/**
 * Named sets of the timeouts that decide how long a cluster is without a leader after its leader was killed.
 */
public enum TimeoutPreset
{
    /**
     * Aeron's own: 11.75 s at most without a leader, and calm through pauses of up to 10 s.
     */
    DEFAULT(Map.of()),

    /**
     * 3 s at most without a leader. A pause of the leader of 2 s, be it of the machine, the disk or the collector, now costs
     * an election; that is rare even where a few cores are shared, while heartbeat timeouts of 1 s and less give needless
     * elections there whenever another process starts. And a start without all members waits 10 s for the missing, not
     * 60 s: a member that comes up later than that may find a log that went on without it.
     */
    FAST(Map.of(
        NodeSettings.HEARTBEAT_TIMEOUT.key(), "2s",
        NodeSettings.HEARTBEAT_INTERVAL.key(), "100ms",
        NodeSettings.ELECTION_TIMEOUT.key(), "500ms",
        NodeSettings.ELECTION_STATUS_INTERVAL.key(), "50ms",
        NodeSettings.CANVASS_TIMEOUT.key(), "10s")),

    /**
     * 0.55 s at most without a leader. A pause of the leader of 150 ms costs an election: for machines on which nothing else
     * runs, and a measure of what is possible. What is left then is a ballot that waits for the dead member's vote, and up to
     * 100 ms until the new leader tells of its log again: an interval of Aeron's that cannot be set.
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

    /**
     * Put the timeouts of this preset.
     *
     * @param settings to put them to; later ones win over them.
     */
    public void apply(final Settings settings)
    {
        values.forEach((key, value) -> settings.put(key, value, "--timeouts"));
    }

    /**
     * Put all timeouts that any preset sets, for a comparison with those of a cluster that runs.
     *
     * @param settings of all members.
     */
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

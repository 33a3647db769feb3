package io.clusterecho.control.cluster;

import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;

import io.clusterecho.control.member.ClusterFiles;
import io.clusterecho.node.config.NodeConfig;
import io.clusterecho.node.config.NodeSettings;
import io.clusterecho.settings.Settings;

/** Compares the settings of a cluster with others. */
final class SettingDifferences
{
    private SettingDifferences()
    {
    }

    /**
     * Compare two sets of settings.
     *
     * @param others only those set explicitly count.
     * @return one text for each key that differs.
     */
    static List<String> between(final SortedMap<String, String> mine, final Settings others)
    {
        final SortedMap<String, String> theirs = ClusterFiles.shared(new NodeConfig(others), others.foreignProperties());
        final List<String> differences = new ArrayList<>();
        theirs.forEach(
            (key, value) ->
            {
                final boolean isGiven = others.foreignProperties().containsKey(key) ||
                    NodeSettings.ALL.stream().anyMatch((setting) -> setting.key().equals(key) && others.isGiven(setting));
                if (isGiven && !value.equals(mine.get(key)))
                {
                    differences.add(key + "=" + mine.get(key) + " there, " + value + " requested");
                }
            });
        return differences;
    }
}

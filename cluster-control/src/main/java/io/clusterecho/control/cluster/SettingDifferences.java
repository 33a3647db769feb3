package io.clusterecho.control.cluster;

import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;

import io.clusterecho.control.member.ClusterFiles;
import io.clusterecho.node.config.NodeConfig;
import io.clusterecho.node.config.NodeSettings;
import io.clusterecho.settings.Settings;

/**
 * What other settings would change in a cluster.
 */
final class SettingDifferences
{
    private SettingDifferences()
    {
    }

    /**
     * Compare.
     *
     * @param mine   of the cluster.
     * @param others of which only those that were given count.
     * @return an entry for each key that differs.
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
                    differences.add(key + " is " + mine.get(key) + " there, asked for is " + value);
                }
            });
        return differences;
    }
}

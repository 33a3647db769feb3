package io.clusterecho.client.run;

import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

import io.clusterecho.control.cluster.RecordedClusters;
import io.clusterecho.control.member.ClusterFiles;
import io.clusterecho.control.member.ControlFailure;
import io.clusterecho.settings.InvalidSettingException;
import io.clusterecho.settings.SettingKeys;

/**
 * The cluster that answers at some endpoints, and what is known of it. The files of a cluster outlive it, and another may have
 * its ports since: settings are known only of a cluster whose members run.
 *
 * @param folder    base folder: that of the options, unless the members were started in another.
 * @param settings  of the members; empty if they are not known.
 * @param isServed  whether they run; else the settings are those of the last cluster, and nothing answers yet.
 * @param warning   that the settings are not those of the folder that was asked for.
 */
record AnsweringCluster(
    Path folder, String endpoints, Map<String, String> settings, boolean isServed, Optional<String> warning)
{
    private static final String DEFAULT_ENDPOINTS = "0=127.0.0.1:20000,1=127.0.0.1:20010,2=127.0.0.1:20020";

    /** A target of which nothing is known but what its options say. */
    static AnsweringCluster unknown(final TargetConfig options)
    {
        final String endpoints = null == options.endpoints() || !TransportNames.isCluster(options.transport()) ?
            DEFAULT_ENDPOINTS : options.endpoints();
        InvalidSettingException.throwIf(
            !endpoints.matches("[0-9]+=[^,=]+:[0-9]+(,[0-9]+=[^,=]+:[0-9]+)*"), "--endpoints", endpoints,
            "a list as in 0=127.0.0.1:20000,1=127.0.0.1:20010");
        return new AnsweringCluster(options.clusterDir(), endpoints, Map.of(), false, Optional.empty());
    }

    /**
     * @param servedAt finds the base folder of the cluster that runs on this machine at some endpoints.
     * @throws ControlFailure if none was started on the hosts of the inventory, or this user may not read its settings.
     */
    static AnsweringCluster of(final TargetConfig options, final Function<String, Optional<Path>> servedAt)
    {
        if (!TransportNames.isCluster(options.transport()))
        {
            return unknown(options);
        }

        final Path asked = options.clusterDir();
        final Map<String, String> recorded = recorded(options);
        final String known = recorded.get(ClusterFiles.ENDPOINTS_KEY);
        final String endpoints = null == options.endpoints() && null != known ? known : unknown(options).endpoints;
        final boolean isRecorded = endpoints.equals(known);
        if (isRecorded && RecordedClusters.isServed(asked))
        {
            return new AnsweringCluster(asked, endpoints, recorded, true, Optional.empty());
        }

        final Optional<Path> elsewhere = servedAt.apply(endpoints);
        if (elsewhere.isPresent())
        {
            final Path folder = elsewhere.get();
            return new AnsweringCluster(
                folder, endpoints, new ClusterFiles(folder).readCluster(), true,
                Optional.of("the members at " + endpoints + " were started in " + folder + ", not in --base-dir " + asked +
                ": the result has their settings"));
        }
        if (isRecorded && new LocalPorts().isFree(endpoints))
        {
            return new AnsweringCluster(asked, endpoints, recorded, false, Optional.empty());
        }

        return new AnsweringCluster(
            asked, endpoints, Map.of(), false, !isRecorded ? Optional.empty() : Optional.of(
                "the settings of the members at " + endpoints + " are not known: those that were started in " + asked +
                " do not run"));
    }

    private static Map<String, String> recorded(final TargetConfig options)
    {
        if (null != options.inventoryFile())
        {
            // Writes the file if the cluster was started from elsewhere.
            RecordedClusters.in(options.clusterDir(), null, options.inventory()).orElseThrow(() -> new ControlFailure(
                ControlFailure.NOT_READY, "no cluster was started on the hosts of " + options.inventory()));
        }

        try
        {
            return new ClusterFiles(options.clusterDir()).readCluster();
        }
        catch (final ControlFailure ex)
        {
            if (null == options.endpoints())
            {
                // The defaults would lead to another cluster or none.
                throw ex;
            }
            return Map.of();
        }
    }

    /** Check, once a member answers, that nothing was assumed of a cluster that did not run. */
    void confirm(final TargetConfig options)
    {
        InvalidSettingException.throwIf(
            !isServed && !settings.isEmpty() && !of(options, RecordedClusters::servedAt).settings.equals(settings), "--base-dir",
            folder, "the folder of the cluster at " + endpoints +
            "; one with other settings has started there since: repeat the command");
    }

    /** Which failures an acknowledged message survives, in words. */
    String durability()
    {
        final String level = settings.getOrDefault(SettingKeys.FSYNC, "");
        return switch (level)
        {
            case "0" -> "fsync 0: an acknowledged message is in the page caches of a majority; it survives the death of " +
                "processes and the loss of a minority of machines, not the loss of power everywhere at once";
            case "1", "2" -> "fsync " + level + ": an acknowledged message's data " + ("1".equals(level) ? "was" :
                "and metadata were") + " flushed to the disks of a majority; it survives the loss of power everywhere, as far " +
                "as the disks keep what they confirm";
            default -> "not known: the members were not started in " + folder +
                "; the aeron.archive.file.sync.level of each decides it";
        };
    }
}

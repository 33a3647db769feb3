package io.clusterecho.client.run;

import java.nio.file.Path;
import java.util.Map;
import java.util.function.BooleanSupplier;

import io.clusterecho.node.config.NodeSettings;
import io.clusterecho.settings.InvalidSettingException;
import io.clusterecho.settings.SettingKeys;

/** Rejects options that the target of a run cannot have. */
final class TargetChecks
{
    private final RunConfig config;
    private final TargetConfig options;
    private final Path folder;
    private final Map<String, String> settings;
    private final boolean isCluster;
    private final boolean isPlain;

    /**
     * @param settings  of the members; empty if they are not known.
     * @param isPlain   whether its members run the plain service.
     */
    TargetChecks(
        final RunConfig config, final Path folder, final Map<String, String> settings, final boolean isCluster,
        final boolean isPlain)
    {
        this.config = config;
        options = config.target();
        this.folder = folder;
        this.settings = settings;
        this.isCluster = isCluster;
        this.isPlain = isPlain;
    }

    /**
     * Check all of them.
     *
     * @param isOfThisMachine whether the cluster was started from this machine; read only if that matters.
     */
    void check(final BooleanSupplier isOfThisMachine, final boolean isPlaced)
    {
        checkService();
        checkStages();
        checkSnapshots(isOfThisMachine);
        checkReceivers();
        checkChurn(isPlaced);
    }

    private void checkService()
    {
        if (!isCluster && null != options.service())
        {
            throw new InvalidSettingException(
                "--service", options.service(), "not given with --transport " + options.transport());
        }
        final String known = settings.get(SettingKeys.SERVICE);
        if (isCluster && null != known && null != options.service() && !known.equals(options.service().name()))
        {
            throw new InvalidSettingException(
                "--service", options.service(), known + ", the service of the members in " + folder);
        }
        if (isCluster && isPlain && config.load().delivery().isExactlyOnce())
        {
            throw new InvalidSettingException(
                "--delivery", "exactly-once",
                "at-most-once with members that run the plain service, which does not detect duplicates");
        }
    }

    private void checkStages()
    {
        final String key = NodeSettings.STAGES.key();
        if (config.load().isStaged() && (!isCluster || isPlain))
        {
            throw new InvalidSettingException(
                "--stages", true, "given only with --transport " + TransportNames.CLUSTER + " and the echo service");
        }
        if (config.load().isStaged() && !settings.isEmpty() && !"true".equals(settings.get(key)))
        {
            throw new InvalidSettingException(
                "--stages", true, "given only if the members were started with " + key + "=true; those in " +
                folder + " were not");
        }
    }

    private void checkSnapshots(final BooleanSupplier isOfThisMachine)
    {
        if (options.beside().snapshotEveryNs() > 0 && !isOfThisMachine.getAsBoolean())
        {
            throw new InvalidSettingException(
                "--snapshot-every", options.beside().snapshotEveryNs() + "ns",
                "given only with a cluster that was started from this machine, in --base-dir");
        }
    }

    private void checkReceivers()
    {
        if (options.beside().receiverCount() > 0 && (!isCluster || isPlain))
        {
            throw new InvalidSettingException(
                RunConfig.RECEIVERS, options.beside().receiverCount(),
                "given only with --transport " + TransportNames.CLUSTER + " and the echo service, which sends them copies");
        }
    }

    private void checkChurn(final boolean isPlaced)
    {
        if (options.beside().churn().isAny() && (!isCluster || isPlain))
        {
            throw new InvalidSettingException(
                ChurnConfig.RATE, options.beside().churn().ratePerSecond(),
                "given only with --transport " + TransportNames.CLUSTER + " and the echo service");
        }
        if (options.beside().churn().isAny() && isPlaced)
        {
            throw new InvalidSettingException(
                ChurnConfig.RATE, options.beside().churn().ratePerSecond(),
                "given only without a placement: its sessions do not emulate distances");
        }
    }
}

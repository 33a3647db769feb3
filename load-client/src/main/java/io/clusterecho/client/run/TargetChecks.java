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
        InvalidSettingException.throwIf(
            !isCluster && null != options.service(), "--service", options.service(),
            "not given with --transport " + options.transport());
        final String known = settings.get(SettingKeys.SERVICE);
        InvalidSettingException.throwIf(
            isCluster && null != known && null != options.service() && !known.equals(options.service().name()), "--service",
            options.service(), known + ", the service of the members in " + folder);
        InvalidSettingException.throwIf(
            isCluster && isPlain && config.load().delivery().isExactlyOnce(), "--delivery", "exactly-once",
            "at-most-once with members that run the plain service, which does not detect duplicates");
    }

    private void checkStages()
    {
        final String key = NodeSettings.STAGES.key();
        InvalidSettingException.throwIf(
            config.load().isStaged() && (!isCluster || isPlain), "--stages", true,
            "given only with --transport " + TransportNames.CLUSTER + " and the echo service");
        InvalidSettingException.throwIf(
            config.load().isStaged() && !settings.isEmpty() && !"true".equals(settings.get(key)), "--stages", true,
            "given only if the members were started with " + key + "=true; those in " + folder + " were not");
    }

    private void checkSnapshots(final BooleanSupplier isOfThisMachine)
    {
        InvalidSettingException.throwIf(
            options.beside().snapshotEveryNs() > 0 && !isOfThisMachine.getAsBoolean(), "--snapshot-every",
            options.beside().snapshotEveryNs() + "ns",
            "given only with a cluster that was started from this machine, in --base-dir");
    }

    private void checkReceivers()
    {
        InvalidSettingException.throwIf(
            options.beside().receiverCount() > 0 && (!isCluster || isPlain), RunConfig.RECEIVERS,
            options.beside().receiverCount(),
            "given only with --transport " + TransportNames.CLUSTER + " and the echo service, which sends them copies");
    }

    private void checkChurn(final boolean isPlaced)
    {
        InvalidSettingException.throwIf(
            options.beside().churn().isAny() && (!isCluster || isPlain), ChurnConfig.RATE,
            options.beside().churn().ratePerSecond(),
            "given only with --transport " + TransportNames.CLUSTER + " and the echo service");
        InvalidSettingException.throwIf(
            options.beside().churn().isAny() && isPlaced, ChurnConfig.RATE, options.beside().churn().ratePerSecond(),
            "given only without a placement: its sessions do not emulate distances");
    }
}

package io.clusterecho.client.sweep;

import java.util.List;

import io.clusterecho.client.run.TransportNames;
import io.clusterecho.client.transport.TransportKind;
import io.clusterecho.node.config.NodeSettings;
import io.clusterecho.settings.InvalidSettingException;

/** Rejects what the transports of a sweep cannot have: a cell would be named after a setting that it does not have. */
final class TransportChecks
{
    private final SweepPlan plan;
    private final boolean hasCluster;
    private final List<TransportKind> kinds;

    TransportChecks(final SweepPlan plan)
    {
        this.plan = plan;
        final List<String> names = plan.values().get(Dimension.TRANSPORT);
        hasCluster = names.contains(TransportNames.CLUSTER);
        kinds = names.stream().filter((name) -> !TransportNames.isCluster(name)).map(TransportNames::kind).toList();
    }

    /** @throws InvalidSettingException for the first that is rejected. */
    void check()
    {
        for (final TransportKind kind : kinds)
        {
            plan.values().forEach((dimension, values) -> check(kind, dimension, values));
        }
        plan.settings().forEach(this::checkSetting);
    }

    private void check(final TransportKind kind, final Dimension dimension, final List<String> values)
    {
        if (List.of(Dimension.TRANSPORT, Dimension.SIZE, Dimension.RATE).contains(dimension) ||
            PeerSystem.has(kind, dimension))
        {
            return;
        }

        final boolean isOfAnother = dimension.isOfSystem() &&
            (hasCluster || kinds.stream().anyMatch((other) -> PeerSystem.has(other, dimension)));
        if (values.size() > 1 || !isOfAnother && !dimension.isDefault(values.get(0)))
        {
            throw new InvalidSettingException(
                dimension.key(), String.join(",", values),
                (isOfAnother ? "one value" : dimension.defaultText()) + " with transport=" + kind.name() +
                ", which has no such setting");
        }
    }

    private void checkSetting(final String key, final String value)
    {
        if (key.startsWith(PeerSystem.PREFIX))
        {
            if (kinds.stream().noneMatch((kind) -> PeerSystem.has(kind, key)))
            {
                throw new InvalidSettingException(key, value, "not given with transport=" + names());
            }
        }
        else if (!hasCluster && !NodeSettings.BASE_PORT.key().equals(key))
        {
            throw new InvalidSettingException(
                key, value, "not given with transport=" + names() + ": it is a setting of the members of a cluster");
        }
    }

    private String names()
    {
        return String.join(",", plan.values().get(Dimension.TRANSPORT));
    }
}

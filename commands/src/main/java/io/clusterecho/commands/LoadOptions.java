package io.clusterecho.commands;

import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;

import io.clusterecho.client.run.ClientsConfig;
import io.clusterecho.client.run.RunConfig;
import io.clusterecho.client.run.TargetConfig;
import io.clusterecho.client.run.ThreadConfig;
import io.clusterecho.client.run.TransportNames;
import io.clusterecho.client.transport.cluster.SessionRecovery;
import io.clusterecho.control.remote.Inventory;
import io.clusterecho.settings.InvalidSettingException;

import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;

/** Options of a load, whatever is done with it. picocli fills them in; {@link #config} makes the configuration from them. */
public final class LoadOptions
{
    /** A worker needs none of these: it keeps no results and starts no other clients. */
    private static final Set<String> COORDINATOR_ONLY = Set.of(
        "--base-dir", "--inventory", ResultOptions.ASSERT, ResultOptions.LABEL, ResultOptions.OUTPUT, "--baseline",
        "--clients", "--client-command", "--client-timeout", ThreadConfig.CORE);

    @Mixin
    private ScheduleOptions schedule;

    @Mixin
    private DeliveryOptions delivery;

    @Mixin
    private ConnectionOptions connection;

    @Mixin
    private TargetOptions target;

    @Mixin
    private ClientOptions clients;

    @Mixin
    private ThreadOptions threads;

    @Mixin
    private DriverOptions driver;

    @Mixin
    private CalibrationOptions calibration;

    @Mixin
    private ResultOptions result;

    /**
     * Make the configuration.
     *
     * @param spec of the command that holds them.
     * @return checked, and independent of these options.
     * @throws InvalidSettingException that names option, value and what is allowed.
     */
    RunConfig config(final CommandSpec spec)
    {
        return new RunConfig(
            schedule.config(spec, delivery.config(), target.isStaged), targetConfig(), threads.config(), driver.config(),
            clients.config(), result.thresholds, result.label, result.output, result.intervalNs, result.baselines(),
            effective(spec), ownWorkerOptions(spec), TypedCommand.of(spec));
    }

    private TargetConfig targetConfig()
    {
        return new TargetConfig(
            target.transport, target.transportAssignments, connection.endpoints, connection.egressEndpoint, target.clusterDir,
            target.inventoryFile, inventory(), target.placement, connection.mtuLength, connection.connectTimeoutNs,
            connection.newLeaderTimeoutNs, connection.sessionRecovery, connection.credentialsFile, target.service,
            calibration.delayNs, calibration.stall.beginNs(), calibration.stall.lengthNs(),
            TargetConfig.Beside.NONE);
    }

    /** The inventory named on the command line, else that of the cluster in the base folder, else null. */
    private Inventory inventory()
    {
        if (null != target.inventoryFile)
        {
            return Inventory.read(target.inventoryFile);
        }

        return null == connection.endpoints && TransportNames.isCluster(target.transport) ?
            Inventory.recordedIn(target.clusterDir).orElse(null) : null;
    }

    /** Every option with its effective value, for the record, by its first name without dashes. No option holds a secret. */
    private SortedMap<String, String> effective(final CommandSpec spec)
    {
        final SortedMap<String, String> values = new TreeMap<>();
        for (final OptionSpec option : spec.options())
        {
            final Object value = option.getValue();
            if (!option.usageHelp() && !option.versionHelp() && null != value)
            {
                values.put(option.names()[0].substring(2), text(option, value));
            }
        }
        final ClientsConfig configured = clients.config();
        if (configured.areApart())
        {
            values.put("clients", String.valueOf(configured.count()));
        }
        else
        {
            // They have no effect then.
            values.keySet().removeAll(List.of("clients", "client-command", "client-timeout"));
        }
        values.putAll(threads.config().effective(driver.config()));
        if (values.getOrDefault(ScheduleOptions.KIND.substring(2), "").isEmpty())
        {
            values.remove(ScheduleOptions.KIND.substring(2));
        }
        if (null == schedule.digestOfTrace())
        {
            values.keySet().removeAll(List.of("trace-speed", "trace-repeat", "trace-digest"));
        }
        else
        {
            values.put(ScheduleOptions.TRACE_DIGEST.substring(2), schedule.digestOfTrace());
        }
        if (!schedule.replaced().isEmpty())
        {
            schedule.replaced().forEach((option) -> values.remove(option.substring(2)));
            values.put(ScheduleOptions.RATE.substring(2), schedule.rateOfLoad().toString());
        }
        return values;
    }

    private Map<String, List<String>> ownWorkerOptions(final CommandSpec spec)
    {
        final Map<String, List<String>> all = workerOptions(spec);
        all.keySet().removeAll(schedule.replaced());
        if (null != schedule.digestOfTrace())
        {
            // A worker elsewhere must not replay another file of the same name.
            all.put(ScheduleOptions.TRACE_DIGEST, List.of(schedule.digestOfTrace()));
        }
        return all;
    }

    /** The options that a worker needs: name to values, none for a switch. */
    static Map<String, List<String>> workerOptions(final CommandSpec spec)
    {
        final Map<String, List<String>> options = new TreeMap<>();
        for (final OptionSpec option : CommandSpec.forAnnotatedObject(new WorkerLoad()).options())
        {
            final String name = option.names()[0];
            final OptionSpec own = spec.findOption(name);
            final Object value = null == own ? null : own.getValue();
            if (COORDINATOR_ONLY.contains(name) || null == value)
            {
                continue;
            }
            if (value instanceof Boolean isGiven)
            {
                if (isGiven)
                {
                    options.put(name, List.of());
                }
                continue;
            }
            final List<?> all = value instanceof List<?> list ? list : List.of(value);
            if (!all.isEmpty())
            {
                options.put(name, all.stream().map((one) -> text(option, one)).toList());
            }
        }

        return options;
    }

    private static String text(final OptionSpec option, final Object value)
    {
        if (value instanceof List<?> list)
        {
            return String.join(",", list.stream().map(Object::toString).toList());
        }

        if (value instanceof SessionRecovery recovery)
        {
            return recovery.name().toLowerCase(Locale.ROOT);
        }

        return "TIME".equals(option.paramLabel()) && value instanceof Long ? value + "ns" : value.toString();
    }
}

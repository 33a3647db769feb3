package io.clusterecho.commands;

import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;

import io.clusterecho.client.run.OptionTexts;
import io.clusterecho.client.run.RunConfig;
import io.clusterecho.client.transport.cluster.SessionRecovery;

import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;

/** Options of a load, whatever is done with it. picocli fills them in; {@link #config} makes the configuration from them. */
public final class LoadOptions
{
    /** A worker needs none of these: it keeps no results and starts no other clients. */
    private static final Set<String> COORDINATOR_ONLY = Set.of(
        "base-dir", "inventory", "assert", "label", "output", "baseline", "clients", "client-command", "client-timeout", "core");

    @Mixin
    private ScheduleOptions schedule;

    @Mixin
    private DeliveryOptions delivery;

    @Mixin
    private TargetOptions target;

    @Mixin
    private ClientOptions clients;

    @Mixin
    private ThreadOptions threads;

    @Mixin
    private DriverOptions driver;

    @Mixin
    private ResultOptions result;

    /** Make the configuration, checked, for the command that holds these options. */
    RunConfig config(final CommandSpec spec)
    {
        return new RunConfig(
            schedule.config(spec, delivery.config(), target.isStaged), target.config(), threads.config(), driver.config(),
            clients.config(), result.thresholds, result.label, result.output, result.intervalNs, result.baselines(),
            schedule.inEffect(texts(spec)), TypedCommand.of(spec));
    }

    /** Every option by its first name without dashes, as it was given or by default. No option holds a secret. */
    static OptionTexts texts(final CommandSpec spec)
    {
        final SortedMap<String, List<String>> values = new TreeMap<>();
        for (final OptionSpec option : spec.options())
        {
            final Object value = option.getValue();
            if (!option.usageHelp() && !option.versionHelp() && null != value)
            {
                values.put(nameOf(option), value instanceof List<?> list ?
                    list.stream().map((one) -> text(option, one)).toList() : List.of(text(option, value)));
            }
        }
        final Set<String> ofWorker = CommandSpec.forAnnotatedObject(new WorkerLoad()).options().stream()
            .map(LoadOptions::nameOf).collect(Collectors.toCollection(TreeSet::new));
        ofWorker.removeAll(COORDINATOR_ONLY);
        return new OptionTexts(values, ofWorker);
    }

    private static String nameOf(final OptionSpec option)
    {
        return option.names()[0].substring(2);
    }

    private static String text(final OptionSpec option, final Object value)
    {
        if (value instanceof SessionRecovery recovery)
        {
            return recovery.name().toLowerCase(Locale.ROOT);
        }

        return "TIME".equals(option.paramLabel()) && value instanceof Long ? value + "ns" : value.toString();
    }
}

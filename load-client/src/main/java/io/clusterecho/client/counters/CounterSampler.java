package io.clusterecho.client.counters;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Supplier;

import io.clusterecho.client.transport.aeron.DriverFolder;
import io.clusterecho.node.counters.CounterColumn;
import io.clusterecho.node.counters.DriverSample;
import io.clusterecho.node.driver.DriverFile;
import io.clusterecho.node.local.LocalMember;
import io.clusterecho.platform.JvmPauses;
import io.clusterecho.platform.MachineUse;
import io.clusterecho.platform.ProcessUse;

/**
 * Samples processes and machine from the side. A row tells what was counted since the row before. One thread.
 */
public final class CounterSampler implements CounterSource
{
    private static final String DRIVER = "-driver";

    private final List<ProcessSampler> samplers = new ArrayList<>();
    private MachineUse machineBefore;

    /**
     * Take the first sample, from which the first row is counted.
     *
     * @param isClientSampled whether this process is the client.
     * @param members         that run on this machine, none if the cluster is elsewhere or not known.
     */
    public CounterSampler(final boolean isClientSampled, final List<LocalMember> members)
    {
        if (isClientSampled)
        {
            final long ownPid = ProcessHandle.current().pid();
            addSamplers(CounterFiles.CLIENT, () -> OptionalLong.of(ownPid), DriverFolder::ofThisProcess, new JvmPauses());
        }
        for (final LocalMember member : members)
        {
            addSamplers("member-" + member.memberId(), member::pid, () -> Optional.of(member.aeronDir()), null);
        }
        samplers.forEach(ProcessSampler::sample);
        machineBefore = MachineUse.now();
    }

    private void addSamplers(
        final String name,
        final Supplier<OptionalLong> pid,
        final Supplier<Optional<Path>> aeronDir,
        final JvmPauses ownPauses)
    {
        samplers.add(new ProcessSampler(name, pid, aeronDir, ownPauses));
        final Supplier<OptionalLong> driverPid =
            () ->
            {
                final OptionalLong user = pid.get();
                return user.isEmpty() || aeronDir.get().isEmpty() ? OptionalLong.empty() :
                    DriverFile.pidUsedBy(aeronDir.get().get(), user.getAsLong());
            };
        if (driverPid.get().isPresent())
        {
            samplers.add(new ProcessSampler(name + DRIVER, driverPid, Optional::empty, null));
        }
    }

    @Override
    public List<String> processRows()
    {
        final List<String> rows = new ArrayList<>();
        for (final ProcessSampler sampler : samplers)
        {
            sampler.sample();
            final StringBuilder row = new StringBuilder(sampler.name()).append(',');
            row.append(sampler.pid() < 0 ? "" : String.valueOf(sampler.pid()));
            for (final CounterColumn column : CounterColumn.values())
            {
                append(row, sampler.value(column), column.divisor());
            }
            rows.add(row.toString());
        }

        return rows;
    }

    @Override
    public String machineRow()
    {
        final MachineUse use = MachineUse.now();
        final StringBuilder row = new StringBuilder();
        for (final MachineColumn column : MachineColumn.values())
        {
            final long value = column.of(use);
            append(row, ProcessUse.UNKNOWN == value ? DriverSample.MISSING : value - column.of(machineBefore), 1);
        }
        machineBefore = use;
        return row.substring(1);
    }

    @Override
    public void close()
    {
        samplers.forEach(ProcessSampler::close);
    }

    private static void append(final StringBuilder row, final long value, final double divisor)
    {
        row.append(',');
        if (DriverSample.MISSING != value)
        {
            row.append(1 == divisor ? String.valueOf(value) : String.format(Locale.ROOT, "%.3f", value / divisor));
        }
    }
}

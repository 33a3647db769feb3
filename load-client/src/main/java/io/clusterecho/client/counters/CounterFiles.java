package io.clusterecho.client.counters;

import java.io.IOException;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Supplier;

import io.clusterecho.client.load.IntervalListener;
import io.clusterecho.client.load.LoadInterval;
import io.clusterecho.client.results.ResultFolder;
import io.clusterecho.client.transport.aeron.DriverFolder;
import io.clusterecho.node.counters.CounterColumn;
import io.clusterecho.node.counters.DriverSample;
import io.clusterecho.node.driver.DriverFile;
import io.clusterecho.node.local.LocalMember;
import io.clusterecho.platform.JvmPauses;
import io.clusterecho.platform.MachineUse;
import io.clusterecho.platform.ProcessUse;

/**
 * Writes what members, client and machine counted in each interval of a run, as it ends: {@code counters.csv} with a row for
 * each process, and {@code machine.csv}. The rows are those of {@code intervals.csv}. Everything is read from the side, on the
 * thread that watches the run: neither the load's thread nor the members notice.
 */
public final class CounterFiles implements IntervalListener, AutoCloseable
{
    /**
     * Name of the file about processes.
     */
    public static final String COUNTERS = "counters.csv";

    /**
     * Name of the file about the machine.
     */
    public static final String MACHINE = "machine.csv";

    /**
     * Name of the client's process in the file; members are {@code member-0} and so on. A media driver that is a process of
     * its own has that name with {@code -driver} behind it.
     */
    public static final String CLIENT = "client";

    private static final String DRIVER = "-driver";

    private final List<ProcessSampler> samplers = new ArrayList<>();
    private final PrintStream counters;
    private final PrintStream machine;
    private MachineUse machineBefore;

    /**
     * Open the files, and take the first sample, from which the first interval is counted.
     *
     * @param folder  of the run.
     * @param members that run on this machine, none if the cluster is elsewhere or not known.
     */
    public CounterFiles(final ResultFolder folder, final List<LocalMember> members)
    {
        try
        {
            counters = new PrintStream(folder.path().resolve(COUNTERS).toFile(), StandardCharsets.UTF_8);
            machine = new PrintStream(folder.path().resolve(MACHINE).toFile(), StandardCharsets.UTF_8);
        }
        catch (final IOException ex)
        {
            throw new UncheckedIOException("cannot write to " + folder.path(), ex);
        }

        final long ownPid = ProcessHandle.current().pid();
        addSamplers(CLIENT, () -> OptionalLong.of(ownPid), DriverFolder::ofThisProcess, new JvmPauses());
        for (final LocalMember member : members)
        {
            addSamplers("member-" + member.memberId(), member::pid, () -> Optional.of(member.aeronDir()), null);
        }

        final StringBuilder header = new StringBuilder("begin_s,end_s,process,pid");
        for (final CounterColumn column : CounterColumn.values())
        {
            header.append(',').append(column.label());
        }
        counters.println(header);
        final StringBuilder machineHeader = new StringBuilder("begin_s,end_s");
        for (final MachineColumn column : MachineColumn.values())
        {
            machineHeader.append(',').append(column.label());
        }
        machine.println(machineHeader);
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
    public void onInterval(final LoadInterval interval)
    {
        final String times = String.format(Locale.ROOT, "%.3f,%.3f", interval.beginNs() / 1e9, interval.endNs() / 1e9);
        for (final ProcessSampler sampler : samplers)
        {
            sampler.sample();
            final StringBuilder row = new StringBuilder(times).append(',').append(sampler.name()).append(',');
            row.append(sampler.pid() < 0 ? "" : String.valueOf(sampler.pid()));
            for (final CounterColumn column : CounterColumn.values())
            {
                append(row, sampler.value(column), column.divisor());
            }
            counters.println(row);
        }
        counters.flush();

        final MachineUse use = MachineUse.now();
        final StringBuilder row = new StringBuilder(times);
        for (final MachineColumn column : MachineColumn.values())
        {
            final long value = column.of(use);
            append(row, ProcessUse.UNKNOWN == value ? DriverSample.MISSING : value - column.of(machineBefore), 1);
        }
        machineBefore = use;
        machine.println(row);
        machine.flush();
    }

    @Override
    public void close()
    {
        samplers.forEach(ProcessSampler::close);
        counters.close();
        machine.close();
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

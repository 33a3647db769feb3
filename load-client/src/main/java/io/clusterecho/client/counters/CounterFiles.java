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
import io.clusterecho.node.counters.LocalProcess;
import io.clusterecho.node.driver.DriverFile;
import io.clusterecho.node.local.ClusterMember;
import io.clusterecho.node.local.MemberHost;
import io.clusterecho.platform.JvmPauses;
import io.clusterecho.platform.MachineUse;

/**
 * Writes what members, client and machine counted in each interval of a run, as it ends: {@code counters.csv} with a row for
 * each process, and {@code machine.csv}, of each further host in a folder of its own. The rows are those of
 * {@code intervals.csv}. Everything is read from the side, on the thread that watches the run: neither the load's thread nor the
 * members notice.
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

    private final List<ProcessSampler> samplers = new ArrayList<>();
    private final PrintStream counters;
    private final List<MachineFile> machines = new ArrayList<>();

    /**
     * Open the files, and take the first sample, from which the first interval is counted.
     *
     * @param folder  of the run.
     * @param hosts   of members, none if the cluster is not known.
     */
    public CounterFiles(final ResultFolder folder, final List<MemberHost> hosts)
    {
        counters = open(folder.path().resolve(COUNTERS));
        machines.add(new MachineFile(open(folder.path().resolve(MACHINE)), MachineUse::now));

        final long ownPid = ProcessHandle.current().pid();
        final LocalProcess client =
            new LocalProcess("", () -> OptionalLong.of(ownPid), DriverFolder::ofThisProcess);
        samplers.add(new ProcessSampler(CLIENT, client, new JvmPauses()));
        addDriver(ownPid);
        for (final MemberHost host : hosts)
        {
            for (final ClusterMember member : host.members())
            {
                member.sources().forEach((source) -> samplers.add(
                    new ProcessSampler("member-" + member.memberId() + source.suffix(), source, null)));
            }
            if (!host.name().isEmpty())
            {
                machines.add(new MachineFile(
                    open(folder.ofHost(host.name()).resolve(MACHINE)), host::machineUse));
            }
        }

        final StringBuilder header = new StringBuilder("begin_s,end_s,process,pid");
        for (final CounterColumn column : CounterColumn.values())
        {
            header.append(',').append(column.label());
        }
        counters.println(header);
        samplers.forEach(ProcessSampler::sample);
    }

    private void addDriver(final long ownPid)
    {
        final Supplier<OptionalLong> pid = () -> DriverFolder.ofThisProcess()
            .map((folder) -> DriverFile.pidUsedBy(folder, ownPid)).orElse(OptionalLong.empty());
        if (pid.get().isPresent())
        {
            samplers.add(new ProcessSampler(
                CLIENT + LocalProcess.DRIVER, new LocalProcess(LocalProcess.DRIVER, pid, Optional::empty), null));
        }
    }

    private static PrintStream open(final Path file)
    {
        try
        {
            return new PrintStream(file.toFile(), StandardCharsets.UTF_8);
        }
        catch (final IOException ex)
        {
            throw new UncheckedIOException("cannot write " + file, ex);
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

        machines.forEach((machine) -> machine.add(times));
    }

    @Override
    public void close()
    {
        samplers.forEach(ProcessSampler::close);
        counters.close();
        machines.forEach(MachineFile::close);
    }

    static void append(final StringBuilder row, final long value, final double divisor)
    {
        row.append(',');
        if (DriverSample.MISSING != value)
        {
            row.append(1 == divisor ? String.valueOf(value) : String.format(Locale.ROOT, "%.3f", value / divisor));
        }
    }
}

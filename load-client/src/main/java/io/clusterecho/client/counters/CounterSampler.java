package io.clusterecho.client.counters;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Supplier;

import io.clusterecho.client.transport.aeron.DriverFolder;
import io.clusterecho.control.member.BackupSource;
import io.clusterecho.control.member.ClusterMember;
import io.clusterecho.control.member.MemberHost;
import io.clusterecho.host.HostFiles;
import io.clusterecho.media.counters.CounterColumn;
import io.clusterecho.media.counters.DriverSample;
import io.clusterecho.media.counters.LocalProcess;
import io.clusterecho.media.counters.ProcessSource;
import io.clusterecho.media.driver.DriverFile;
import io.clusterecho.platform.Decimals;
import io.clusterecho.platform.MachineColumn;
import io.clusterecho.reporting.results.ProcessName;

/** Samples processes and machine. A row contains what was counted since the previous row. One thread. */
public final class CounterSampler implements CounterSource
{
    private final List<ProcessSampler> samplers = new ArrayList<>();
    private final MachineSampler machine = new MachineSampler(() -> MachineColumn.sample(HostFiles.ofThisMachine()));

    /** Samples a process repeatedly, and follows it when it is restarted. */
    private static final class ProcessSampler
    {
        private final String name;
        private final ProcessSource source;
        /** In the last sample: -1 if the process did not run, or {@link ProcessSource#UNKNOWN_PID}. */
        private long pidNow = -1;
        private long[] before = DriverSample.newValues();
        private long[] now = DriverSample.newValues();

        ProcessSampler(final String name, final ProcessSource source)
        {
            this.name = name;
            this.source = source;
        }

        /** Take a sample; sums are then relative to the previous one. */
        void sample()
        {
            final long[] last = before;
            before = now;
            now = last;

            final long pidBefore = pidNow;
            pidNow = source.take(now);
            if (pidBefore != pidNow)
            {
                Arrays.fill(before, DriverSample.MISSING);
            }
        }

        /**
         * Value of a column after a sample.
         *
         * @return the value of a level; the growth of a sum, at least 0 since counters may have been closed; or {@link
         * DriverSample#MISSING}.
         */
        long value(final CounterColumn column)
        {
            final long value = now[column.ordinal()];
            final long valueBefore = before[column.ordinal()];
            return CounterColumn.Kind.LEVEL == column.kind() || DriverSample.MISSING == value ? value :
                DriverSample.MISSING == valueBefore ? DriverSample.MISSING : Math.max(0, value - valueBefore);
        }
    }

    /** Samples a machine repeatedly. A row contains the change since the previous row, and levels as they are. */
    static final class MachineSampler
    {
        private final Supplier<long[]> machine;
        private long[] before;

        /** Take the first sample of the machine's totals so far. */
        MachineSampler(final Supplier<long[]> machine)
        {
            this.machine = machine;
            before = machine.get();
        }

        /** Change since the previous sample; empty fields if either sample is missing. */
        String row()
        {
            final long[] now = machine.get();
            final StringBuilder row = new StringBuilder();
            for (final MachineColumn column : MachineColumn.values())
            {
                final long value = now[column.ordinal()];
                final long origin = column.isLevel() ? 0 : before[column.ordinal()];
                final boolean isKnown = MachineColumn.UNKNOWN != value && MachineColumn.UNKNOWN != origin;
                append(row, isKnown ? value - origin : DriverSample.MISSING, column.divisor());
            }
            before = now;
            return row.substring(1);
        }
    }

    /** Take the first sample, which the first row is relative to; no hosts if the cluster is not known. */
    public CounterSampler(final boolean isClientSampled, final List<MemberHost> hosts)
    {
        if (isClientSampled)
        {
            final long ownPid = ProcessHandle.current().pid();
            final LocalProcess client =
                new LocalProcess("", () -> OptionalLong.of(ownPid), DriverFolder::ofThisProcess);
            samplers.add(new ProcessSampler(ProcessName.CLIENT, client));
            addDriver(ownPid);
        }
        final List<ClusterMember> members = hosts.stream().flatMap((host) -> host.members().stream()).toList();
        for (final MemberHost host : hosts)
        {
            for (final ClusterMember member : host.members())
            {
                member.sources().forEach((source) -> samplers.add(
                    new ProcessSampler(ProcessName.ofMember(member.memberId()) + source.suffix(), source)));
            }
            host.backup().ifPresent((backup) -> BackupSource.of(backup, members).forEach((source) -> samplers.add(
                new ProcessSampler(ProcessName.BACKUP + source.suffix(), source))));
        }
        samplers.forEach(ProcessSampler::sample);
    }

    private void addDriver(final long ownPid)
    {
        final Supplier<OptionalLong> pid = () -> DriverFolder.ofThisProcess()
            .map((folder) -> DriverFile.pidUsedBy(folder, ownPid)).orElse(OptionalLong.empty());
        if (pid.get().isPresent())
        {
            samplers.add(new ProcessSampler(
                ProcessName.CLIENT + LocalProcess.DRIVER, new LocalProcess(LocalProcess.DRIVER, pid, Optional::empty)));
        }
    }

    @Override
    public List<String> processRows()
    {
        final List<String> rows = new ArrayList<>();
        for (final ProcessSampler sampler : samplers)
        {
            // On few cores, threads that yield to each other would otherwise wait until all are read.
            Thread.yield();
            sampler.sample();
            final StringBuilder row = new StringBuilder(sampler.name).append(',');
            row.append(sampler.pidNow >= 0 ? String.valueOf(sampler.pidNow) :
                ProcessSource.UNKNOWN_PID == sampler.pidNow ? ProcessName.UNKNOWN_PID : "");
            for (final CounterColumn column : CounterColumn.values())
            {
                append(row, sampler.value(column), column.divisor());
            }
            rows.add(row.toString());
        }

        return rows;
    }

    /** Time of compilations in the last rows, of the process with the most, in ms; 0 if none is known. */
    public double compilationMs()
    {
        return samplers.stream().mapToLong((sampler) -> sampler.value(CounterColumn.COMPILE_MS)).map((ms) -> Math.max(0, ms))
            .max().orElse(0);
    }

    @Override
    public String machineRow()
    {
        return machine.row();
    }

    @Override
    public void close()
    {
        samplers.forEach((sampler) -> sampler.source.close());
    }

    static void append(final StringBuilder row, final long value, final double divisor)
    {
        row.append(',');
        if (DriverSample.MISSING != value)
        {
            if (1 == divisor)
            {
                row.append(value);
            }
            else
            {
                Decimals.append(row, value, divisor);
            }
        }
    }
}

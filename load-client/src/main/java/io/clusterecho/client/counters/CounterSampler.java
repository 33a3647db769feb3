package io.clusterecho.client.counters;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;

import io.clusterecho.client.transport.aeron.DriverFolder;
import io.clusterecho.control.member.BackupSource;
import io.clusterecho.control.member.ClusterMember;
import io.clusterecho.control.member.ControlFailure;
import io.clusterecho.control.member.MemberHost;
import io.clusterecho.host.HostFiles;
import io.clusterecho.media.counters.CounterColumn;
import io.clusterecho.media.counters.DriverSample;
import io.clusterecho.media.counters.LocalProcess;
import io.clusterecho.media.counters.ProcessSample;
import io.clusterecho.media.driver.DriverFile;
import io.clusterecho.platform.Decimals;
import io.clusterecho.platform.MachineColumn;
import io.clusterecho.reporting.results.ProcessName;

/** Samples processes and machine. A row contains what was counted since the previous row. One thread. */
public final class CounterSampler implements CounterSource
{
    private static final String SERVER = "server-";

    private final List<NodeSampler> samplers = new ArrayList<>();
    private final MachineSampler machine = new MachineSampler(() -> MachineColumn.sample(HostFiles.ofThisMachine()));

    /** Samples the processes of a node repeatedly, and follows them when they are restarted. */
    private static final class NodeSampler
    {
        private final String name;
        private final UnaryOperator<Map<String, ProcessSample>> samples;
        private final Runnable end;
        private Map<String, ProcessSample> before = Map.of();
        private Map<String, ProcessSample> now = Map.of("", ProcessSample.empty(-1));

        /** @param samples of its processes, given those to take while its host does not answer. */
        NodeSampler(final String name, final UnaryOperator<Map<String, ProcessSample>> samples, final Runnable end)
        {
            this.name = name;
            this.samples = samples;
            this.end = end;
            sample();
        }

        /** Take a sample; sums are then relative to the previous one. */
        void sample()
        {
            final Map<String, ProcessSample> unknown = new LinkedHashMap<>(now);
            unknown.replaceAll((suffix, last) -> ProcessSample.empty(ProcessSample.UNKNOWN_PID));
            before = now;
            now = samples.apply(unknown);
        }

        /**
         * Value of a column after a sample.
         *
         * @return the value of a level; the growth of a sum, at least 0 since counters may have been closed; or {@link
         * DriverSample#MISSING}.
         */
        long value(final String suffix, final CounterColumn column)
        {
            final ProcessSample last = now.get(suffix);
            final ProcessSample earlier = before.get(suffix);
            final long value = last.values()[column.ordinal()];
            final long valueBefore = null == earlier || earlier.pid() != last.pid() ? DriverSample.MISSING :
                earlier.values()[column.ordinal()];
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

    /**
     * Take the first sample, which the first row is relative to; no hosts if the cluster is not known.
     *
     * @param isPeer    whether the target is another system than the cluster, whose servers this process has started.
     * @param aeronDirs of other members, {@code id=folder}: each is sampled by its media driver, in whichever process that runs.
     */
    public CounterSampler(
        final boolean isClientSampled, final boolean isPeer, final List<MemberHost> hosts, final List<String> aeronDirs)
    {
        if (isClientSampled)
        {
            final long ownPid = ProcessHandle.current().pid();
            add(ProcessName.CLIENT, new LocalProcess(() -> OptionalLong.of(ownPid), DriverFolder::ofThisProcess));
            final Supplier<OptionalLong> driverPid = () -> DriverFolder.ofThisProcess()
                .map((folder) -> DriverFile.pidUsedBy(folder, ownPid)).orElse(OptionalLong.empty());
            if (driverPid.get().isPresent())
            {
                add(ProcessName.CLIENT + LocalProcess.DRIVER, new LocalProcess(driverPid, Optional::empty));
            }
            // The servers of a peer; the shells that end them with this process do nothing meanwhile.
            ProcessHandle.current().descendants().filter((one) ->
                isPeer && one.pid() != driverPid.get().orElse(ownPid) &&
                one.info().command().filter((command) -> !command.endsWith("sh")).isPresent()).forEach((one) ->
                add(SERVER + samplers.size(), new LocalProcess(() -> OptionalLong.of(one.pid()), Optional::empty)));
        }
        final List<ClusterMember> members = hosts.stream().flatMap((host) -> host.members().stream()).toList();
        for (final MemberHost host : hosts)
        {
            host.members().forEach((member) -> samplers.add(
                new NodeSampler(
                    ProcessName.ofMember(member.memberId()),
                    (unknown) -> ControlFailure.orElse(member::samples, unknown), member::endSamples)));
            host.backup().map((backup) -> new BackupSource(backup, members)).ifPresent((backup) ->
                samplers.add(new NodeSampler(ProcessName.BACKUP, backup::take, backup::close)));
        }
        for (final String member : aeronDirs)
        {
            final Path folder = Path.of(member.split("=", 2)[1]);
            add(ProcessName.ofMember(Integer.parseInt(member.split("=")[0])), new LocalProcess(
                () -> DriverFile.read(folder).flatMap(DriverFile::process).map((process) -> OptionalLong.of(process.pid()))
                .orElse(OptionalLong.empty()), () -> Optional.of(folder)));
        }
    }

    private void add(final String name, final LocalProcess process)
    {
        samplers.add(new NodeSampler(name, (unknown) -> Map.of("", process.take()), process::close));
    }

    @Override
    public Rows take()
    {
        final List<String> rows = new ArrayList<>();
        for (final NodeSampler sampler : samplers)
        {
            // On few cores, threads that yield to each other would otherwise wait until all are read.
            Thread.yield();
            sampler.sample();
            sampler.now.forEach((suffix, process) ->
            {
                final StringBuilder row = new StringBuilder(sampler.name).append(suffix).append(',');
                row.append(process.pid() >= 0 ? String.valueOf(process.pid()) :
                    ProcessSample.UNKNOWN_PID == process.pid() ? ProcessName.UNKNOWN_PID : "");
                for (final CounterColumn column : CounterColumn.values())
                {
                    append(row, sampler.value(suffix, column), column.divisor());
                }
                rows.add(row.toString());
            });
        }

        return new Rows(rows, machine.row());
    }

    /** Pids of the processes in the last rows, by their names there; negative of those that do not run. */
    public Map<String, Long> pids()
    {
        final Map<String, Long> pids = new LinkedHashMap<>();
        samplers.forEach((sampler) -> sampler.now.forEach((suffix, one) -> pids.put(sampler.name + suffix, one.pid())));
        return pids;
    }

    /** Time of compilations in the last rows, of the process with the most, in ms; 0 if none is known. */
    public double compilationMs()
    {
        return samplers.stream().flatMapToLong((sampler) -> sampler.now.keySet().stream()
            .mapToLong((suffix) -> Math.max(0, sampler.value(suffix, CounterColumn.COMPILE_MS)))).max().orElse(0);
    }

    @Override
    public void close()
    {
        samplers.forEach((sampler) -> sampler.end.run());
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

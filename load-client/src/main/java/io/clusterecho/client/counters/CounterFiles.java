package io.clusterecho.client.counters;

import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import io.clusterecho.client.counters.CounterSampler.MachineSampler;
import io.clusterecho.control.member.MemberHost;
import io.clusterecho.media.counters.CounterColumn;
import io.clusterecho.platform.MachineColumn;
import io.clusterecho.reporting.evidence.EvidenceFile;
import io.clusterecho.reporting.measurement.IntervalListener;
import io.clusterecho.reporting.measurement.RunInterval;
import io.clusterecho.reporting.results.FileNames;
import io.clusterecho.reporting.results.ResultFolder;

import org.agrona.CloseHelper;

/**
 * Writes the counters of members, client and machine at the end of each interval of a run: {@code counters.csv} with a row for
 * each process, {@code machine.csv}, and {@code hosts/NAME/machine.csv} of other hosts of members. The rows match those of
 * {@code intervals.csv}. Everything is read by the thread that watches the run: if it has a core of its own, neither the load's
 * thread nor the members are disturbed.
 */
public final class CounterFiles implements IntervalListener
{
    private final CounterSource source;
    private final Map<EvidenceFile, Function<CounterSource.Rows, List<String>>> files = new LinkedHashMap<>();

    /**
     * Open the files and take the first samples.
     *
     * @param source of the rows; closed with the files, or at once if they cannot be opened.
     * @throws java.io.UncheckedIOException if one cannot be written; the message names it.
     */
    public CounterFiles(final ResultFolder folder, final CounterSource source, final List<MemberHost> memberHosts)
    {
        this.source = source;
        final String header = "begin_s,end_s,process,pid," + joined(Stream.of(CounterColumn.values()).map(CounterColumn::label));
        final String machineHeader = "begin_s,end_s," + joined(Stream.of(MachineColumn.values()).map(MachineColumn::label));
        try
        {
            files.put(folder.evidence(FileNames.COUNTERS, header), CounterSource.Rows::processes);
            files.put(
                folder.evidence(FileNames.MACHINE, machineHeader), (rows) -> Stream.ofNullable(rows.machine()).toList());
            for (final MemberHost host : memberHosts)
            {
                if (!host.name().isEmpty())
                {
                    final MachineSampler sampler = new MachineSampler(host::machineUse);
                    final Path file = folder.path().relativize(folder.ofHost(host.name()).resolve(FileNames.MACHINE));
                    files.put(folder.evidence(file.toString(), machineHeader), (rows) -> List.of(sampler.row()));
                }
            }
        }
        catch (final RuntimeException ex)
        {
            CloseHelper.quietCloseAll(files.keySet());
            CloseHelper.quietClose(source);
            throw ex;
        }
    }

    private static String joined(final Stream<String> columns)
    {
        return columns.collect(Collectors.joining(",")) + "\n";
    }

    @Override
    public void onInterval(final RunInterval interval)
    {
        final String times = String.format(Locale.ROOT, "%.3f,%.3f,", interval.beginNs() / 1e9, interval.endNs() / 1e9);
        final CounterSource.Rows taken = source.take();
        files.forEach((file, rows) ->
        {
            final String text = rows.apply(taken).stream().map((row) -> times + row + "\n").collect(Collectors.joining());
            if (!text.isEmpty())
            {
                file.append(text, interval.beginNs());
            }
        });
    }

    @Override
    public List<String> problems()
    {
        return EvidenceFile.problems(files.keySet());
    }

    @Override
    public void close()
    {
        try
        {
            source.close();
        }
        finally
        {
            files.keySet().forEach(EvidenceFile::close);
        }
    }
}

package io.clusterecho.client.counters;

import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

import io.clusterecho.control.member.MemberHost;
import io.clusterecho.reporting.evidence.Evidence;
import io.clusterecho.reporting.evidence.EvidenceFile;
import io.clusterecho.reporting.measurement.IntervalListener;
import io.clusterecho.reporting.measurement.RunInterval;
import io.clusterecho.reporting.results.FileNames;
import io.clusterecho.reporting.results.ResultFolder;

import org.agrona.CloseHelper;

/**
 * Writes the machine counters of each other host of members in each interval of a run to {@code hosts/NAME/machine.csv}. Does
 * not cover this machine.
 */
public final class MachineFiles implements IntervalListener, Evidence, AutoCloseable
{
    private final Map<MachineSampler, EvidenceFile> files = new LinkedHashMap<>();

    /**
     * Open the files and take the first samples.
     *
     * @throws java.io.UncheckedIOException if one cannot be written; the message names it.
     */
    public MachineFiles(final ResultFolder folder, final List<MemberHost> hosts)
    {
        try
        {
            for (final MemberHost host : hosts)
            {
                if (!host.name().isEmpty())
                {
                    final MachineSampler sampler = new MachineSampler(host::machineUse);
                    final Path file = folder.path().relativize(folder.ofHost(host.name()).resolve(FileNames.MACHINE));
                    files.put(
                        sampler, folder.evidence(file.toString(), "begin_s,end_s" + MachineSampler.header() + "\n"));
                }
            }
        }
        catch (final RuntimeException ex)
        {
            CloseHelper.quietCloseAll(files.values());
            throw ex;
        }
    }

    @Override
    public void onInterval(final RunInterval interval)
    {
        final String times = String.format(Locale.ROOT, "%.3f,%.3f,", interval.beginNs() / 1e9, interval.endNs() / 1e9);
        files.forEach((sampler, file) -> file.append(times + sampler.row() + "\n", interval.beginNs()));
    }

    @Override
    public List<String> problems()
    {
        return files.values().stream().map(EvidenceFile::problems).flatMap(List::stream).toList();
    }

    @Override
    public void close()
    {
        files.values().forEach(EvidenceFile::close);
    }
}

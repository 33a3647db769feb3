package io.clusterecho.client.counters;

import java.io.IOException;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

import io.clusterecho.client.load.IntervalListener;
import io.clusterecho.client.load.LoadInterval;
import io.clusterecho.client.results.ResultFolder;
import io.clusterecho.node.local.MemberHost;

/**
 * Writes what each further host of members did in each interval of a run, into {@code hosts/NAME/machine.csv}. Has nothing to
 * write of this machine.
 */
public final class HostFiles implements IntervalListener, AutoCloseable
{
    private final Map<MachineSampler, PrintStream> files = new LinkedHashMap<>();

    /**
     * Open the files, and take the first samples.
     *
     * @param folder of the run.
     * @param hosts  of members.
     */
    public HostFiles(final ResultFolder folder, final List<MemberHost> hosts)
    {
        for (final MemberHost host : hosts)
        {
            if (!host.name().isEmpty())
            {
                final PrintStream file = open(folder.ofHost(host.name()).resolve(CounterFiles.MACHINE));
                file.println("begin_s,end_s" + MachineSampler.header());
                files.put(new MachineSampler(host::machineUse), file);
            }
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
        final String times = String.format(Locale.ROOT, "%.3f,%.3f,", interval.beginNs() / 1e9, interval.endNs() / 1e9);
        files.forEach((sampler, file) ->
        {
            file.println(times + sampler.row());
            file.flush();
        });
    }

    @Override
    public void close()
    {
        files.values().forEach(PrintStream::close);
    }
}

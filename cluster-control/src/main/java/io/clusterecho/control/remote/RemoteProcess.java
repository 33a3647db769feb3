package io.clusterecho.control.remote;

import java.util.Arrays;
import java.util.function.Supplier;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;

import io.clusterecho.control.member.ControlFailure;
import io.clusterecho.media.counters.DriverSample;
import io.clusterecho.media.counters.ProcessSource;
import io.clusterecho.settings.InvalidSettingException;

/** Samples of a process on a host of an inventory, which the agent there takes. One thread. */
final class RemoteProcess implements ProcessSource
{
    private final HostLink link;
    private final Supplier<ObjectNode> request;
    private final String suffix;

    /** @param request makes a request for a sample, to which the suffix is added. */
    RemoteProcess(final HostLink link, final Supplier<ObjectNode> request, final String suffix)
    {
        this.link = link;
        this.request = request;
        this.suffix = suffix;
    }

    @Override
    public String suffix()
    {
        return suffix;
    }

    @Override
    public long take(final long[] values)
    {
        try
        {
            final JsonNode sample = link.askAtOnce(request.get().put("suffix", suffix), HostLink.SAMPLE_TIMEOUT_NS);
            for (int i = 0; i < values.length; i++)
            {
                values[i] = sample.path("values").path(i).asLong(DriverSample.MISSING);
            }

            return sample.path("pid").asLong(UNKNOWN_PID);
        }
        catch (final ControlFailure | InvalidSettingException ex)
        {
            Arrays.fill(values, DriverSample.MISSING);
            return UNKNOWN_PID;
        }
    }

    @Override
    public void close()
    {
        // The agent keeps its end until the connection ends.
    }
}

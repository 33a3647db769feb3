package io.clusterecho.peers;

import java.util.ArrayList;
import java.util.List;

import io.clusterecho.settings.InvalidSettingException;

/** Members of a replicated peer in the form of {@code --endpoints}: {@code 0=host:port,1=host:port...}. */
public record Members(String text, List<Endpoint> endpoints)
{
    /** Members that are started on one machine, each a process with an endpoint of its own. */
    static final int COUNT = 3;

    /** Three members on this machine, the default of {@code --endpoints}. */
    public static final String DEFAULT = local(21_000);

    /** Parse members such as {@link #DEFAULT}, or null for the default. */
    public static Members parse(final String given)
    {
        final String text = null == given ? DEFAULT : given;
        final List<Endpoint> endpoints = new ArrayList<>();
        for (final String part : text.split(",", -1))
        {
            final String prefix = endpoints.size() + "=";
            InvalidSettingException.throwIf(
                !part.startsWith(prefix), "--endpoints", text, "members in order of id, for instance " + DEFAULT);
            endpoints.add(Endpoint.parse(part.substring(prefix.length())));
        }

        return new Members(text, List.copyOf(endpoints));
    }

    /** Three members on this machine, as a value for {@code --endpoints}. */
    public static String local(final int firstPort)
    {
        return "0=127.0.0.1:" + firstPort + ",1=127.0.0.1:" + (firstPort + 1) + ",2=127.0.0.1:" + (firstPort + 2);
    }

    /** The endpoint of a member; an id that no member has is an error. */
    public Endpoint endpoint(final int memberId)
    {
        InvalidSettingException.throwIf(
            memberId < 0 || memberId >= endpoints.size(), "--member", memberId,
            "0 to " + (endpoints.size() - 1) + ", an id in --endpoints");

        return endpoints.get(memberId);
    }
}

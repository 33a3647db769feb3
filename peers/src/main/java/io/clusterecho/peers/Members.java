package io.clusterecho.peers;

import java.util.ArrayList;
import java.util.List;

import io.clusterecho.settings.InvalidSettingException;

/**
 * Members of a replicated peer as {@code --endpoints} names them: {@code 0=host:port,1=host:port...}.
 *
 * @param text      as it was given.
 * @param endpoints by member id.
 */
public record Members(String text, List<Endpoint> endpoints)
{
    /**
     * Three on this machine, where they are unless {@code --endpoints} says otherwise.
     */
    public static final String DEFAULT = local(21_000);

    /**
     * Read what a user gave.
     *
     * @param given as in {@link #DEFAULT}, or null for it.
     * @throws InvalidSettingException for any other text.
     */
    public static Members parse(final String given)
    {
        final String text = null == given ? DEFAULT : given;
        final List<Endpoint> endpoints = new ArrayList<>();
        for (final String part : text.split(",", -1))
        {
            final String prefix = endpoints.size() + "=";
            if (!part.startsWith(prefix))
            {
                throw new InvalidSettingException("--endpoints", text, "members in order, as in " + DEFAULT);
            }
            endpoints.add(Endpoint.parse(part.substring(prefix.length())));
        }

        return new Members(text, List.copyOf(endpoints));
    }

    /**
     * Three members on this machine.
     *
     * @param firstPort of three.
     * @return as {@code --endpoints} takes them.
     */
    public static String local(final int firstPort)
    {
        return "0=127.0.0.1:" + firstPort + ",1=127.0.0.1:" + (firstPort + 1) + ",2=127.0.0.1:" + (firstPort + 2);
    }

    /**
     * The endpoint of a member.
     *
     * @param memberId as {@code --member} gave it.
     * @return where it takes sessions.
     * @throws InvalidSettingException if there is no such member.
     */
    public Endpoint endpoint(final int memberId)
    {
        if (memberId < 0 || memberId >= endpoints.size())
        {
            throw new InvalidSettingException(
                "--member", memberId, "0 to " + (endpoints.size() - 1) + ", one of --endpoints");
        }

        return endpoints.get(memberId);
    }
}

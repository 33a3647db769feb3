package io.clusterecho.media.link;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Addresses by which a driver knows the members of its cluster; everyone else is a client. Ports do not help: data is sent from
 * ephemeral ones. So members are known only if each has an address of its own, from which it also sends
 * ({@link LinkFilter}). A client on the host of a member is taken for that member.
 */
public record MemberAddresses(int ownId, List<InetAddress> addresses)
{
    public static final MemberAddresses UNKNOWN = new MemberAddresses(-1, List.of());

    /** @return {@link #UNKNOWN} if two addresses are the same, one does not resolve, or one is 127.0.0.1, which clients use. */
    public static MemberAddresses of(final int ownId, final List<String> hosts)
    {
        final List<InetAddress> addresses = new ArrayList<>();
        try
        {
            for (final String host : hosts)
            {
                addresses.add(InetAddress.getByName(host));
            }
        }
        catch (final UnknownHostException ex)
        {
            return UNKNOWN;
        }

        final Set<InetAddress> distinct = new HashSet<>(addresses);
        return distinct.size() < addresses.size() || distinct.contains(InetAddress.getLoopbackAddress()) ?
            UNKNOWN : new MemberAddresses(ownId, addresses);
    }

    /** Number of members that are known: all or 0. */
    public int count()
    {
        return addresses.size();
    }

    /** Address of the driver's own member, or null if members are not known. */
    InetAddress own()
    {
        return addresses.isEmpty() ? null : addresses.get(ownId);
    }

    boolean isOfMember(final int memberId, final InetAddress address)
    {
        return memberId < addresses.size() && addresses.get(memberId).equals(address);
    }

    boolean isOfClient(final InetAddress address)
    {
        return !addresses.contains(address);
    }
}

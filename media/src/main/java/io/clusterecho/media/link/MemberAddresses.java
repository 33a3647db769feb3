package io.clusterecho.media.link;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Addresses by which a driver knows the members of its cluster; everyone else is a client. Ports do not help: data is sent from
 * ephemeral ones. So members are known only if each has an address of its own, from which it also sends
 * ({@link LinkFilter}). A client on the host of a member is taken for that member.
 */
public final class MemberAddresses
{
    public static final MemberAddresses UNKNOWN = new MemberAddresses(-1, new InetAddress[0]);

    private final int ownId;
    private final InetAddress[] addresses;

    private MemberAddresses(final int ownId, final InetAddress[] addresses)
    {
        this.ownId = ownId;
        this.addresses = addresses;
    }

    /** @return {@link #UNKNOWN} if two addresses are the same, one does not resolve, or one is 127.0.0.1, which clients use. */
    public static MemberAddresses of(final int ownId, final List<String> hosts)
    {
        final InetAddress[] addresses = new InetAddress[hosts.size()];
        for (int id = 0; id < addresses.length; id++)
        {
            try
            {
                addresses[id] = InetAddress.getByName(hosts.get(id));
            }
            catch (final UnknownHostException ex)
            {
                return UNKNOWN;
            }
        }

        final Set<InetAddress> distinct = new HashSet<>(List.of(addresses));
        return distinct.size() < addresses.length || distinct.contains(InetAddress.getLoopbackAddress()) ?
            UNKNOWN : new MemberAddresses(ownId, addresses);
    }

    /** Number of members that are known: all or 0. */
    public int count()
    {
        return addresses.length;
    }

    /** Address of the driver's own member, or null if members are not known. */
    InetAddress own()
    {
        return 0 == addresses.length ? null : addresses[ownId];
    }

    boolean isOfMember(final int memberId, final InetAddress address)
    {
        return memberId < addresses.length && addresses[memberId].equals(address);
    }

    boolean isOfClient(final InetAddress address)
    {
        for (final InetAddress member : addresses)
        {
            if (member.equals(address))
            {
                return false;
            }
        }

        return true;
    }
}

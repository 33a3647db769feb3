package io.clusterecho.media.link;

import java.net.BindException;
import java.net.InetAddress;
import java.net.InetSocketAddress;

import io.aeron.driver.media.PortManager;
import io.aeron.driver.media.UdpChannel;

/**
 * Binds the sockets of a driver that would send from whichever address the system takes, on loopback 127.0.0.1, to an address
 * of its own. Asks another which port. Called by the conductor.
 */
final class SenderAddress implements PortManager
{
    private final InetAddress address;
    private final PortManager ports;

    /**
     * Bind to an address.
     *
     * @param address to send from.
     * @param ports   manages ports.
     */
    SenderAddress(final InetAddress address, final PortManager ports)
    {
        this.address = address;
        this.ports = ports;
    }

    @Override
    public InetSocketAddress getManagedPort(final UdpChannel udpChannel, final InetSocketAddress bindAddress)
        throws BindException
    {
        final InetSocketAddress managed = ports.getManagedPort(udpChannel, bindAddress);
        return managed.getAddress().isAnyLocalAddress() ? new InetSocketAddress(address, managed.getPort()) : managed;
    }

    @Override
    public void freeManagedPort(final InetSocketAddress bindAddress)
    {
        ports.freeManagedPort(bindAddress);
    }
}

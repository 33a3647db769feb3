package io.clusterecho.media.link;

import java.net.BindException;
import java.net.InetAddress;
import java.net.InetSocketAddress;

import io.aeron.driver.media.PortManager;
import io.aeron.driver.media.UdpChannel;

/**
 * Binds the sending sockets of a driver to a given address, where the system would choose one (127.0.0.1 on loopback). Another
 * manager chooses the ports. Called by the conductor.
 */
final class SenderAddress implements PortManager
{
    private final InetAddress address;
    private final PortManager ports;

    /**
     * Bind to an address.
     *
     * @param address to send from.
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

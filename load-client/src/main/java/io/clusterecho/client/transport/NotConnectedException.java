package io.clusterecho.client.transport;

/**
 * No session could be had in time. A process that meets it ends with exit status 3.
 */
public final class NotConnectedException extends RuntimeException
{
    private static final long serialVersionUID = 1L;

    /**
     * No session.
     *
     * @param message which says who was tried and for how long.
     * @param cause   of the last failure, or null.
     */
    public NotConnectedException(final String message, final Throwable cause)
    {
        super(message, cause);
    }
}

package io.clusterecho.client.transport;

/** No session could be opened in time. The process ends with exit status 3. */
public final class NotConnectedException extends RuntimeException
{
    private static final long serialVersionUID = 1L;

    /** The message has the address and the timeout, the cause is the last failure, or null. */
    public NotConnectedException(final String message, final Throwable cause)
    {
        super(message, cause);
    }
}

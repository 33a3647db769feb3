package io.clusterecho.client.transport;

/** No session could be opened in time. The process ends with exit status 3. */
public final class NotConnectedException extends RuntimeException
{
    private static final long serialVersionUID = 1L;

    /**
     * @param message with the address and the timeout.
     * @param cause   last failure, or null.
     */
    public NotConnectedException(final String message, final Throwable cause)
    {
        super(message, cause);
    }
}

package io.clusterecho.settings;

/**
 * A setting that cannot be used. The message names the key, the value and what is allowed; a process that meets one ends
 * with exit status 2.
 */
public final class InvalidSettingException extends RuntimeException
{
    private static final long serialVersionUID = 1L;

    /**
     * Reject one value.
     *
     * @param key     of the setting, as its user writes it.
     * @param value   that was given.
     * @param allowed what would have been accepted, in words.
     */
    public InvalidSettingException(final String key, final Object value, final String allowed)
    {
        super(key + "=" + value + " is not allowed: " + allowed);
    }

    /**
     * Reject something that is more than one value.
     *
     * @param message which names the keys, the values and what is allowed.
     */
    public InvalidSettingException(final String message)
    {
        super(message);
    }
}

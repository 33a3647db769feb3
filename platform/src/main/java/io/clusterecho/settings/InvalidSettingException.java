package io.clusterecho.settings;

import java.util.function.Function;

/**
 * A setting that cannot be used. The message has the key, the value and what is allowed; it ends the process with exit status 2.
 */
public final class InvalidSettingException extends RuntimeException
{
    private static final long serialVersionUID = 1L;

    private final String key;
    private final String allowed;

    /** Reject one value of a key, as the user writes it. */
    public InvalidSettingException(final String key, final Object value, final String allowed)
    {
        super(key + "=" + value + " is not allowed: " + allowed);
        this.key = key;
        this.allowed = allowed;
    }

    /** Reject a combination of values, with a message that has the keys, the values and what is allowed. */
    public InvalidSettingException(final String message)
    {
        super(message);
        key = null;
        allowed = null;
    }

    /** Reject one value if a condition holds. Value and text are made in any case: they must not depend on the condition. */
    public static void throwIf(final boolean isInvalid, final String key, final Object value, final String allowed)
    {
        if (isInvalid)
        {
            throw new InvalidSettingException(key, value, allowed);
        }
    }

    /** Reject a combination of values if a condition holds. */
    public static void throwIf(final boolean isInvalid, final String message)
    {
        if (isInvalid)
        {
            throw new InvalidSettingException(message);
        }
    }

    /**
     * Parse a text; rejects one for which the parser throws an {@link IllegalArgumentException}.
     *
     * @param allowed null for the message of that exception.
     */
    public static <T> T parsed(final String key, final String text, final String allowed, final Function<String, T> parser)
    {
        try
        {
            return parser.apply(text);
        }
        catch (final IllegalArgumentException ex)
        {
            throw new InvalidSettingException(key, text, null == allowed ? ex.getMessage() : allowed);
        }
    }

    /** Key of the setting, as its user writes it; null if more than one value is at fault. */
    public String key()
    {
        return key;
    }

    /** The same rejection, which must have a key, with the value as its user typed it. */
    public InvalidSettingException withValue(final Object value)
    {
        if (null == key)
        {
            throw new IllegalStateException("no key in: " + getMessage());
        }

        return new InvalidSettingException(key, value, allowed);
    }
}
